import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FORM } from "../../../test/lint-cases-form.js";
import { TASKS } from "../../../test/lint-cases-tasks.js";
import { TRACE } from "../../../test/lint-cases-trace.js";
import { codes, FORBIDS, look, running, SPEC, steel } from "../../../test/lint-input.js";
import { draft, drafts, file, files, map, task } from "../../../test/plan-draft.js";
import { LINT_CODES } from "../../model/lint-codes.js";
import { sequence } from "../draft/sequence.js";

const CASES = [...FORM, ...TRACE, ...TASKS];

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

  it.each(["P-REQUIREMENT", "P-BEHAVIOUR"])("%s names in its advice what is missing", (code) => {
    const [plan, given] = (CASES.find((each) => each.code === code) as (typeof CASES)[number]).bad;
    const found = look(plan, given).findings.filter((each) => each.code === code);
    expect(found.map(({ suggestion, where }) => suggestion.startsWith(`Name ${where} in the task that`))).toEqual([
      true,
    ]);
  });

  it("names the program to install", () => {
    const found = look(running("frobnicate --all")).findings.find(({ code }) => code === "P-TOOL");
    expect(found?.suggestion).toBe("Install frobnicate, or check with a program that is there.");
  });

  it("has a case for every code", () => {
    const tried = new Set<string>(CASES.map(({ code }) => code));
    expect(Object.keys(LINT_CODES).filter((code) => code.startsWith("P-") && !tried.has(code))).toEqual([]);
  });

  it("finds nothing in a whole plan", () => {
    const plan = draft([
      steel("T1", { behaviours: ["B1"], quotes: ["The lamp can be switched on."], files: [file("src/b1.ts")] }),
      task("T2", { quotes: ["The lamp is green."], dependsOn: ["T1"] }),
    ]);
    const given = { spec: SPEC, map: map(["B1"]), files: files(["B1"]), records: [FORBIDS] };
    expect(look(plan, given)).toMatchObject({
      findings: [],
      coverage: { planned: 100, leftOut: 0, notUnderstood: 0 },
      stats: { work: 2, checked: 2 },
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

  it("ends for any plan, and finds the cycle whenever there is one", () => {
    fc.assert(
      fc.property(drafts({ wild: true }), (plan) => {
        const { findings } = look(plan, { spec: SPEC, map: map(["B1"]), files: files(["B1"]) });
        for (const { code, grade } of findings)
          expect(Object.hasOwn(LINT_CODES, code) && (grade !== "unreadable" || code === "P-NO-TASKS")).toBe(true);
        expect(findings.some(({ code }) => code === "P-CYCLE")).toBe(sequence(plan).cyclic.length > 0);
      }),
    );
  });
});
