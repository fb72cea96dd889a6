// What is wrong between a plan and the spec it comes from, code by code.

import { parseSpec } from "../src/planning/spec/parse.js";
import { type Case, fine, SPEC, steel, whole } from "./lint-input.js";
import { draft, files, map, task } from "./plan-draft.js";

const DUTY = parseSpec("# Gate\n\n- It must fail closed.\n");
const leavingOut = (quote: string) => map(["B1"], { leftOut: [{ quote, reason: "a risk" }] });

export const TRACE: readonly Case[] = [
  {
    code: "P-QUOTE",
    when: "a quote is not in the spec",
    bad: [draft([task("T1", { quotes: ["The lamp can fly."] })]), { spec: SPEC }],
    good: [draft([whole]), { spec: SPEC }],
    says: /"The lamp can fly\."/,
  },
  {
    code: "P-QUOTE",
    when: "what is left out is not in the spec",
    bad: [
      draft([steel("T1", { behaviours: ["B1"] })]),
      { spec: SPEC, map: map(["B1"], { leftOut: [{ quote: "It sings.", reason: "later" }] }) },
    ],
    good: [
      draft([steel("T1", { behaviours: ["B1"] })]),
      { spec: SPEC, map: map(["B1"], { leftOut: [{ quote: "The lamp is green.", reason: "later" }] }) },
    ],
    says: /It sings/,
  },
  {
    code: "P-REQUIREMENT",
    when: "a requirement id is in no task",
    bad: [draft([task("T1", { quotes: ["The lamp is green."] })]), { spec: SPEC }],
    good: [draft([whole]), { spec: SPEC }],
    says: /REQ-1 .*line 3/,
  },
  {
    code: "P-REQUIREMENT-ID",
    when: "a task invents a requirement",
    bad: [draft([task("T1", { requirements: ["REQ-1", "REQ-9"] })]), { spec: SPEC }],
    good: [draft([whole]), { spec: SPEC }],
    says: /does not have: REQ-9/,
  },
  {
    code: "P-COVERAGE",
    when: "a statement is in no task",
    bad: [draft([task("T1", { quotes: ["switched on"] })]), { spec: SPEC }],
    good: [draft([whole]), { spec: SPEC }],
    says: /covered to 50 %.*line 4 "The lamp is green/,
  },
  {
    code: "P-DUTY",
    when: "what must be is left out",
    bad: [fine, { spec: DUTY, map: leavingOut("It must fail closed.") }],
    good: [draft([task("T1", { quotes: ["It must fail closed."] })]), { spec: DUTY }],
    says: /line 3 "It must fail closed\." \("a risk"\)/,
  },
  {
    code: "P-MAP-ID",
    when: "the map uses an id twice",
    bad: [fine, { map: map(["B1", "B1"]) }],
    good: [fine, { map: map(["B1", "B2"]) }],
    says: /B1 2 times/,
  },
  {
    code: "P-BEHAVIOUR",
    when: "a behaviour is in no task",
    bad: [draft([steel("T1", { behaviours: ["B1"] })]), { map: map(["B1", "B2"]) }],
    good: [draft([steel("T1", { behaviours: ["B1", "B2"] })]), { map: map(["B1", "B2"]) }],
    says: /No task has the behaviour B2/,
  },
  {
    code: "P-BEHAVIOUR-ID",
    when: "a task names an unknown behaviour",
    bad: [draft([steel("T1", { behaviours: ["B1", "B9"] })]), { map: map(["B1"]) }],
    good: [draft([steel("T1", { behaviours: ["B1"] })]), { map: map(["B1"]) }],
    says: /T1 names the behaviour B9/,
  },
  {
    code: "P-BEHAVIOUR-ID",
    when: "the file map names an unknown behaviour",
    bad: [fine, { map: map(["B1"]), files: files(["B1", "B9"]) }],
    good: [fine, { map: map(["B1"]), files: files(["B1"]) }],
    says: /The file map names the behaviour B9/,
  },
  {
    code: "P-FLOW",
    when: "a flow has an unknown step",
    bad: [fine, { map: map(["B1"], { flows: [{ id: "FL1", name: "x", steelThread: true, steps: ["B1", "B7"] }] }) }],
    good: [fine, { map: map(["B1"]) }],
    says: /no behaviours: B7/,
  },
  {
    code: "P-STEEL-FLOW",
    when: "no flow is the steel thread",
    bad: [fine, { map: map(["B1"], { flows: [] }) }],
    good: [fine, { map: map(["B1"]) }],
    says: /No flow is the steel thread/,
  },
  {
    code: "P-STEEL-FLOW",
    when: "two flows are",
    bad: [
      fine,
      { map: map(["B1"], { flows: ["X", "Y"].map((id) => ({ id, name: id, steelThread: true, steps: ["B1"] })) }) },
    ],
    good: [fine, { map: map(["B1"]) }],
    says: /2 flows .*X, Y/,
  },
  {
    code: "P-FILES",
    when: "a behaviour has no files",
    bad: [fine, { map: map(["B1", "B2"]), files: files(["B1"]) }],
    good: [fine, { map: map(["B1"]), files: files(["B1"]) }],
    says: /B2 .* has no files/,
  },
  {
    code: "P-FILE-UNUSED",
    when: "no task touches a planned file",
    bad: [fine, { files: files(["B1"]) }],
    good: [draft([task("B1")]), { files: files(["B1"]) }],
    says: /src\/b1\.ts/,
  },
];
