import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draft, drafts, file, files, map, task } from "../../../test/plan-draft.js";
import type { PlanRecord } from "../../graph/record.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { sequence } from "../sequence.js";
import { parseSpec } from "../spec/parse.js";
import { fixDraft } from "./fix.js";
import { type LintInput, lintDraft, readDraft } from "./lint.js";
import { LINT_CODES, type LintCode, RULES } from "./rules.js";

type Given = Partial<LintInput>;

const input = (plan: PlanDraft, given: Given = {}): LintInput => ({
  draft: plan,
  hasTool: (name) => ["npm", "node", "npx", "sh", "grep", "test"].includes(name),
  level: "strict",
  mode: "full",
  ...given,
});

const look = (plan: PlanDraft, given: Given = {}) => lintDraft(input(plan, given));
const codes = (plan: PlanDraft, given: Given = {}): string[] => look(plan, given).findings.map(({ code }) => code);

const SPEC = parseSpec("# Lamp\n\n- REQ-1: The lamp can be switched on.\n- The lamp is green.\n");
const whole = task("T1", { quotes: ["The lamp is green."], requirements: ["REQ-1"] });

const record = (more: Partial<PlanRecord>): { key: string; record: PlanRecord } => ({
  key: "CON-001",
  record: {
    kind: "constraint",
    state: "active",
    title: "No new dependencies",
    body: "",
    alternatives: [],
    scope: null,
    tasks: [],
    measure: null,
    forbids: null,
    supersededBy: null,
    run: null,
    createdAt: 1,
    createdBy: "human:ada",
    approvedBy: "human:ada",
    approvedAt: 1,
    ...more,
  },
});
const FORBIDS = record({ forbids: { files: ["src/legacy/**"], words: ["npm install"] } });
const FAST = record({
  kind: "requirement",
  title: "Fast start",
  measure: { metric: "start time", op: "<", target: 100, run: "node bench.mjs" },
});

interface Case {
  readonly code: LintCode;
  readonly when: string;
  readonly bad: readonly [PlanDraft, Given?];
  readonly good: readonly [PlanDraft, Given?];
  readonly says: RegExp;
}

const steel = (id: string, more: Partial<DraftTask> = {}): DraftTask => task(id, { steelThread: true, ...more });
const tiny = (id: string, ...dependsOn: string[]): DraftTask =>
  task(id, { dependsOn, estimateHours: 0.2, files: [file("src/a.ts")] });
const withoutProfile = (each: DraftTask): DraftTask => {
  const { profile: _, ...rest } = each;
  return rest;
};
const running = (run: string): PlanDraft => draft([task("T1", { checks: [{ run }] })]);
const fine = draft([task("T1")]);

const CASES: readonly Case[] = [
  { code: "P-NO-TASKS", when: "there is no task", bad: [draft([], { features: [] })], good: [fine], says: /no task/ },
  {
    code: "P-ID",
    when: "two nodes share an id in any case",
    bad: [draft([task("T1"), task("t1", { files: [] })])],
    good: [fine],
    says: /t1 is used 2 times/,
  },
  {
    code: "P-PARENT",
    when: "a parent does not exist",
    bad: [draft([task("T1", { parent: "F9" })])],
    good: [draft([task("T1", { parent: "F9" })], { features: [] }), { existing: new Set(["F9"]) }],
    says: /T1 belongs to F9, which does not exist/,
  },
  {
    code: "P-PARENT",
    when: "a task is in a task",
    bad: [draft([task("T1"), task("T2", { parent: "T1" })])],
    good: [fine],
    says: /is a task and cannot contain it/,
  },
  {
    code: "P-OUTSIDE",
    when: "a node is not in the branch that is planned",
    bad: [fine, { outside: { root: "FEAT-1", ids: ["T1"] } }],
    good: [fine, { outside: { root: "FEAT-1", ids: [] } }],
    says: /T1 is not below FEAT-1/,
  },
  {
    code: "P-DEPENDENCY",
    when: "a dependency dangles",
    bad: [draft([task("T1", { dependsOn: ["T9"] })])],
    good: [draft([task("T1", { dependsOn: ["T9"] })]), { existing: new Set(["T9"]) }],
    says: /depends on T9, which does not exist/,
  },
  {
    code: "P-KINSHIP",
    when: "a task depends on its feature",
    bad: [draft([task("T1", { dependsOn: ["F1"] })])],
    good: [fine],
    says: /depends on F1, which contains it/,
  },
  {
    code: "P-KINSHIP",
    when: "a task depends on itself",
    bad: [draft([task("T1", { dependsOn: ["T1"] })])],
    good: [fine],
    says: /depends on itself/,
  },
  {
    code: "P-CYCLE",
    when: "two wait for each other",
    bad: [draft([task("A", { dependsOn: ["B"] }), task("B", { dependsOn: ["A"] })])],
    good: [draft([task("A"), task("B", { dependsOn: ["A"] })])],
    says: /A → B → A/,
  },
  {
    code: "P-CYCLE",
    when: "features wait for each other's landing",
    bad: [
      draft(
        [
          task("A1", { dependsOn: ["B1"] }),
          task("A2"),
          task("B1", { parent: "F2" }),
          task("B2", { parent: "F2", dependsOn: ["A2"] }),
        ],
        { features: ["F1", "F2"].map((id) => ({ id, title: id, body: "" })) },
      ),
    ],
    good: [
      draft([task("A1", { dependsOn: ["B1"] }), task("B1", { parent: "F2" })], {
        features: ["F1", "F2"].map((id) => ({ id, title: id, body: "" })),
      }),
    ],
    says: /F2 → B2 → F1 → A1 → F2|A1 → F2 → B2 → F1 → A1/,
  },
  {
    code: "P-EMPTY",
    when: "a feature has no task",
    bad: [
      draft([task("T1")], {
        features: [
          { id: "F1", title: "Lamp", body: "" },
          { id: "F2", title: "Shade", body: "" },
        ],
      }),
    ],
    good: [
      draft([task("T1")], {
        features: [
          { id: "F1", title: "Lamp", body: "" },
          { id: "F2", title: "Shade", body: "" },
        ],
      }),
      { existing: new Set(["F2"]) },
    ],
    says: /F2 "Shade" has no task/,
  },
  {
    code: "P-EMPTY",
    when: "a story has no task",
    bad: [draft([task("T1")], { stories: [{ id: "S1", feature: "F1", title: "Switch", body: "" }] })],
    good: [
      draft([task("T1", { parent: "S1" })], { stories: [{ id: "S1", feature: "F1", title: "Switch", body: "" }] }),
    ],
    says: /S1 "Switch"/,
  },
  {
    code: "P-REPEAT",
    when: "a file is named twice",
    bad: [draft([task("T1", { files: [file("a.ts"), file("a.ts")] })])],
    good: [fine],
    says: /names files twice: a\.ts/,
  },
  {
    code: "P-DECISION",
    when: "a decision names no task of the plan",
    bad: [
      draft([task("T1")], {
        decisions: [{ id: "D01", title: "x", choice: "y", because: "", alternatives: [], tasks: ["T9"] }],
      }),
    ],
    good: [
      draft([task("T1")], {
        decisions: [{ id: "D01", title: "x", choice: "y", because: "", alternatives: [], tasks: ["T1"] }],
      }),
    ],
    says: /D01 names T9/,
  },
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
    bad: [draft([task("T1", { requirements: ["REQ-1"] })]), { spec: SPEC }],
    good: [draft([whole]), { spec: SPEC }],
    says: /covered to 50 %.*line 4 "The lamp is green/,
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
  {
    code: "P-CHECK",
    when: "work has no check",
    bad: [draft([task("T1"), task("T2", { checks: [] })])],
    good: [draft([task("T1"), task("T2", { kind: "gate", checks: [] })])],
    says: /T2 .* has no check/,
  },
  {
    code: "P-TOOL",
    when: "a check needs a program that is not there",
    bad: [running("cd web && CI=1 jester --all")],
    good: [running("cd web && CI=1 npm test")],
    says: /needs jester/,
  },
  {
    code: "P-SCRIPT",
    when: "a check runs a file that is nowhere",
    bad: [running("node scripts/verify.mjs && npm test"), { repositoryFiles: new Set(["package.json"]) }],
    good: [running("node scripts/verify.mjs && npm test"), { repositoryFiles: new Set(["scripts/verify.mjs"]) }],
    says: /runs scripts\/verify\.mjs/,
  },
  {
    code: "P-DANGER",
    when: "a check destroys",
    bad: [running("npm test; rm -rf /")],
    good: [running("rm -rf dist && npm test")],
    says: /removes files outside/,
  },
  {
    code: "P-TESTS",
    when: "nothing tests",
    bad: [draft([task("T1", { checks: [] })])],
    good: [draft([task("T1", { checks: [], files: [file("docs/a.md")] })])],
    says: /no test and no check/,
  },
  {
    code: "P-LARGE",
    when: "a task has many files",
    bad: [draft([task("T1", { files: ["a", "b", "c", "d"].map((name) => file(`${name}.ts`)) })])],
    good: [
      draft([task("T1", { files: ["a", "b", "c", "d"].map((name) => file(`${name}.ts`)), sizeReason: "One rename." })]),
    ],
    says: /4 files besides tests/,
  },
  {
    code: "P-LARGE",
    when: "a task has many layers or hours",
    bad: [
      draft([
        task("T1", { estimateHours: 20, files: [file("a.ts", { layer: "api" }), file("b.ts", { layer: "data" })] }),
      ]),
    ],
    good: [draft([task("T1", { files: [file("a.ts", { layer: "api" }), file("b.test.ts", { layer: "test" })] })])],
    says: /layers api and data, 20 hours/,
  },
  {
    code: "P-SMALL",
    when: "crumbs share all files in a row",
    bad: [draft([tiny("T1"), tiny("T2", "T1")])],
    good: [draft([task("T1"), tiny("T2", "T1")])],
    says: /T1 and T2 take less than/,
  },
  {
    code: "P-OVERLAP",
    when: "two that could run together touch one file",
    bad: [draft([task("T1"), task("T2", { files: [file("src/t1.ts")] })])],
    good: [draft([task("T1"), task("T2", { files: [file("src/t1.ts")], dependsOn: ["T1"] })])],
    says: /T1, T2 could run together, but both touch src\/t1\.ts/,
  },
  {
    code: "P-PROFILE",
    when: "a profile is missing",
    bad: [draft([withoutProfile(task("T1"))])],
    good: [fine],
    says: /its files say backend/,
  },
  {
    code: "P-STEEL",
    when: "no task is in the steel thread",
    bad: [draft([task("T1", { behaviours: ["B1"] })]), { map: map(["B1"]) }],
    good: [draft([task("T1", { behaviours: ["B1"] })]), { map: map(["B1"]), mode: "quick" }],
    says: /No task belongs to the steel thread/,
  },
  {
    code: "P-STEEL",
    when: "a step of the flow is in none of its tasks",
    bad: [draft([steel("T1", { behaviours: ["B1"] }), task("T2", { behaviours: ["B2"] })]), { map: map(["B1", "B2"]) }],
    good: [draft([steel("T1", { behaviours: ["B1", "B2"] })]), { map: map(["B1", "B2"]) }],
    says: /none of its tasks does: B2/,
  },
  {
    code: "P-STEEL-APART",
    when: "its pieces do not touch",
    bad: [draft([steel("T1"), steel("T2"), steel("T3", { dependsOn: ["T2"] })])],
    good: [
      draft([steel("T1"), steel("T2"), task("M", { dependsOn: ["T1", "T2"] }), steel("T3", { dependsOn: ["M"] })]),
    ],
    says: /in 2 pieces.*\(T1\)/,
  },
  {
    code: "P-STEEL-LATE",
    when: "it stands behind other work",
    bad: [
      draft([
        task("T1"),
        task("T2", { dependsOn: ["T1"] }),
        task("T3", { dependsOn: ["T2"] }),
        steel("T4", { dependsOn: ["T3"] }),
      ]),
    ],
    good: [
      draft([
        steel("T1"),
        steel("T2", { dependsOn: ["T1"] }),
        steel("T3", { dependsOn: ["T2"] }),
        steel("T4", { dependsOn: ["T3"] }),
      ]),
    ],
    says: /wave 4 of 4/,
  },
  {
    code: "P-VAGUE",
    when: "a text is left open",
    bad: [draft([task("T1", { body: "Handle errors, timeouts, etc." })])],
    good: [draft([task("T1", { title: "Show the TODO list", body: "Read TODO.md." })])],
    says: /leaves something open/,
  },
  {
    code: "P-SPACES",
    when: "a title has spaces around it",
    bad: [draft([task("T1", { title: " Make it " })])],
    good: [fine],
    says: /white space/,
  },
  {
    code: "P-CONSTRAINT",
    when: "a forbidden file is touched",
    bad: [draft([task("T1", { files: [file("src/legacy/old/x.ts")] })]), { records: [FORBIDS] }],
    good: [fine, { records: [FORBIDS] }],
    says: /CON-001 "No new dependencies" forbids \(src\/legacy/,
  },
  {
    code: "P-CONSTRAINT",
    when: "forbidden words are said",
    bad: [draft([task("T1", { body: "First NPM  install left-pad." })]), { records: [FORBIDS] }],
    good: [
      draft([task("T1", { body: "First npm install left-pad." })]),
      { records: [record({ state: "proposed", forbids: FORBIDS.record.forbids })] },
    ],
    says: /says "npm install".*CON-001/,
  },
  {
    code: "P-MEASURE",
    when: "nothing mentions a requirement",
    bad: [fine, { records: [FAST] }],
    good: [running("node bench.mjs && npm test"), { records: [FAST] }],
    says: /Fast start.*start time < 100/,
  },
];

describe("conformance lint", () => {
  it.each(CASES)("$code when $when", ({ code, bad: [plan, given], good: [other, circumstances], says }) => {
    const found = look(plan, given).findings.filter((each) => each.code === code);
    expect(found.map(({ message }) => message).join("\n")).toMatch(says);
    for (const each of found) {
      expect(each.where).not.toBe("");
      expect(each.suggestion).toMatch(/\.$/);
    }
    expect(codes(other, circumstances)).not.toContain(code);
  });

  it("has a case for every code", () => {
    const tried = new Set(["P-SCHEMA", ...CASES.map(({ code }) => code)]);
    expect(LINT_CODES.filter((code) => !tried.has(code))).toEqual([]);
  });

  it("finds nothing in a whole plan", () => {
    const plan = draft([
      steel("T1", { behaviours: ["B1"], requirements: ["REQ-1"], files: [file("src/b1.ts")] }),
      task("T2", { quotes: ["The lamp is green."], dependsOn: ["T1"] }),
    ]);
    const given = { spec: SPEC, map: map(["B1"]), files: files(["B1"]), records: [FORBIDS] };
    expect(look(plan, given)).toMatchObject({
      findings: [],
      coverage: { percent: 100 },
      stats: { tasks: 2, checks: 2, waves: 2, hours: 4 },
    });
  });

  it("tells everything at once, the gravest first", () => {
    const plan = draft([
      task("T1", { parent: "F9", dependsOn: ["T8", "T9"], title: " x ", body: "TBD", checks: [{ run: "sudo x" }] }),
    ]);
    const { findings, stats } = look(plan);
    expect(findings.map(({ code }) => code)).toEqual([
      "P-PARENT",
      "P-DEPENDENCY",
      "P-DEPENDENCY",
      "P-EMPTY",
      "P-DANGER",
      "P-TOOL",
      "P-TESTS",
      "P-VAGUE",
      "P-SPACES",
    ]);
    expect(stats.grades).toEqual({ unreadable: 0, error: 5, warning: 3, remark: 1 });
  });

  it.each([
    ["lenient", ["P-EMPTY"]],
    ["normal", ["P-EMPTY", "P-VAGUE"]],
    ["strict", ["P-EMPTY", "P-VAGUE", "P-SPACES"]],
  ] as const)("at level %s shows %j", (level, expected) => {
    const plan = draft([task("T1", { title: "TBD " })], {
      stories: [{ id: "S1", feature: "F1", title: "S", body: "" }],
    });
    expect(codes(plan, { level })).toEqual(expected);
  });

  it("only warns about missing checks where the whole plan has none", () => {
    const plan = draft([task("T1", { checks: [], files: [file("test/a.test.ts")] })]);
    expect(look(plan).findings).toMatchObject([{ code: "P-CHECK", grade: "warning" }]);
  });

  it("only warns if there are checks but none that tests", () => {
    expect(look(running("npm run build")).findings).toMatchObject([{ code: "P-TESTS", grade: "warning" }]);
  });

  it("is no error where the outline planner has nothing to go by", () => {
    const plan = draft([task("T1", { checks: [] })]);
    const given = { asStated: true, map: map(["B1"]), files: files([]) };
    const found = look(plan, given).findings.filter(({ code }) => code === "P-TESTS" || code === "P-FILES");
    expect(found.map(({ code, grade }) => [code, grade])).toEqual([
      ["P-FILES", "warning"],
      ["P-TESTS", "warning"],
    ]);
  });

  it("takes coverage lightly for quick work", () => {
    const plan = draft([task("T1", { requirements: ["REQ-1"] })]);
    expect(look(plan, { spec: SPEC, mode: "quick" }).findings).toMatchObject([{ code: "P-COVERAGE", grade: "remark" }]);
  });

  it("escalates what does not have the form of a plan, with the place of each trouble", () => {
    const broken = {
      ...fine,
      title: "two\nlines",
      tasks: [{ ...task("T1"), files: [{ path: "../../etc/passwd", action: "create" }] }],
    };
    const read = readDraft(broken);
    expect(read.draft).toBeUndefined();
    const found = "findings" in read ? read.findings : [];
    expect(found.map(({ code, grade, where }) => [code, grade, where])).toEqual([
      ["P-SCHEMA", "unreadable", "title"],
      ["P-SCHEMA", "unreadable", "tasks.0.files.0.path"],
    ]);
    expect(readDraft(fine)).toEqual({ draft: fine });
    expect(readDraft("[".repeat(1000)).draft).toBeUndefined();
  });

  it("ends for any plan, and finds the cycle whenever there is one", () => {
    fc.assert(
      fc.property(drafts({ wild: true }), (plan) => {
        const { findings } = look(plan, { spec: SPEC, map: map(["B1"]), files: files(["B1"]) });
        for (const { code, grade } of findings) expect(Object.hasOwn(RULES, code) && grade !== "unreadable").toBe(true);
        expect(findings.some(({ code }) => code === "P-CYCLE")).toBe(sequence(plan).cyclic.length > 0);
      }),
    );
  });
});

const page = resolve(import.meta.dirname, "../../../docs/reference/lint-codes.md");

describe("the page about lint codes", () => {
  it("says what the table says", () => {
    const rows = LINT_CODES.map((code) => {
      const { grade, meaning, fix } = RULES[code];
      return `| \`${code}\` | ${grade} | ${meaning} | ${fix ? "yes" : ""} |`;
    });
    expect(
      readFileSync(page, "utf8")
        .split("\n")
        .filter((line) => line.startsWith("| `P-")),
    ).toEqual(rows);
  });
});

describe("lint --fix", () => {
  const mend = (plan: PlanDraft, given: Given = {}) => fixDraft(plan, look(plan, given).findings, given);

  it("mends everything mechanical in one pass, and tells what", () => {
    const { profile: _, ...bare } = task("T2", {
      parent: "f1",
      title: " Make T2 ",
      dependsOn: ["t1", "T1", "F1", "T2", "task-9"],
      files: [file("src/t3.ts"), file("src/t3.ts")],
      quotes: ["“The lamp is green.”"],
      behaviours: ["b1"],
      checks: [{ run: "npm test" }, { run: "npm test" }],
    });
    const plan = draft([task("T1"), bare, task("T3")]);
    const given = { existing: new Set(["TASK-9"]), spec: SPEC, map: map(["B1"]) };
    const { draft: mended, fixed } = mend(plan, given);
    expect(mended.tasks[1]).toEqual(
      task("T2", {
        dependsOn: ["T1", "TASK-9"],
        files: [file("src/t3.ts")],
        quotes: ["The lamp is green."],
        behaviours: ["B1"],
        profile: "backend",
      }),
    );
    expect(mended.tasks[2]?.dependsOn).toEqual(["T2"]);
    expect([...new Set(fixed.map(({ code }) => code))].sort()).toEqual([
      "P-BEHAVIOUR-ID",
      "P-DEPENDENCY",
      "P-KINSHIP",
      "P-OVERLAP",
      "P-PARENT",
      "P-PROFILE",
      "P-QUOTE",
      "P-REPEAT",
      "P-SPACES",
    ]);
    expect(look(mended, given).findings.filter(({ fixable }) => fixable)).toEqual([]);
  });

  it("leaves alone what nobody complained about, and what needs a judgement", () => {
    const plan = draft([task("T1", { dependsOn: ["T9"], title: " x " })]);
    expect(fixDraft(plan, [])).toEqual({ draft: plan, fixed: [] });
    const { draft: mended, fixed } = mend(plan);
    expect(fixed.map(({ code }) => code)).toEqual(["P-SPACES"]);
    expect(mended.tasks[0]?.dependsOn).toEqual(["T9"]);
  });

  it("changes nothing the second time, leaves nothing that it could mend, and adds no error", () => {
    fc.assert(
      fc.property(drafts({ wild: true }), (plan) => {
        const before = look(plan);
        const once = fixDraft(plan, before.findings).draft;
        const after = look(once);
        expect(after.findings.filter(({ fixable }) => fixable)).toEqual([]);
        expect(fixDraft(once, after.findings).draft).toEqual(once);
        expect(fixDraft(once, before.findings).draft).toEqual(once);
        expect(after.stats.grades.error).toBeLessThanOrEqual(before.stats.grades.error);
      }),
      { numRuns: 300 },
    );
  });
});
