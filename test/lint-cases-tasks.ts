// What is wrong with single tasks and their order, code by code.

import { type Case, FAST, FORBIDS, fine, record, running, steel, tiny, withoutProfile } from "./lint-input.js";
import { draft, file, map, task } from "./plan-draft.js";

export const TASKS: readonly Case[] = [
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
    says: /4 files without the tests/,
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
    code: "P-TARGET",
    when: "a file is made outside of the folder that the code goes to",
    bad: [
      draft([task("T1", { files: [file("lib/x.ts"), file("packages/shop/y.ts")] })]),
      { target: "./packages/shop/" },
    ],
    good: [
      draft([task("T1", { files: [file("packages/shop/y.ts"), file("test/y.test.ts"), file("docs/shop.md")] })]),
      { target: "packages/shop" },
    ],
    says: /T1 creates lib\/x\.ts, and the code goes to packages\/shop/,
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
