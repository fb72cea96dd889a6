import { describe, expect, it } from "vitest";
import type { CheckResult } from "../node/node.js";
import { hasFailed, proofText, proofWords, strengthOf, taskProof, weakProofWords } from "./proof-strength.js";

const result = (rest: Partial<CheckResult> = {}): CheckResult => ({
  run: "npm test",
  passed: true,
  outcome: "exit 0",
  durationMs: 1,
  output: "",
  ...rest,
});

const base = (passed: boolean): Partial<CheckResult> => ({ before: { on: "base", passed, outcome: "exit" } });
const tests = (passed: boolean): Partial<CheckResult> => ({ before: { on: "tests", passed, outcome: "exit" } });

describe("the proof of a check", () => {
  it.each<[Partial<CheckResult>, string, string]>([
    [{}, "unknown", ""],
    [base(false), "strong", "red → green"],
    [base(true), "weak", "green → green"],
    [tests(false), "strong", "its tests fail without the change"],
    [tests(true), "weak", "its tests pass without the change"],
    [{ ...base(false), flaky: true }, "weak", "flaky: red and green on the same tree"],
    [{ restored: ["a.test.ts"] }, "unknown", "also passes with a.test.ts unchanged"],
    [{ ...base(false), restored: ["a", "b"] }, "strong", "red → green, also passes with a, b unchanged"],
    [{ passed: false }, "weak", "red"],
    [{ passed: false, excused: "BAS-001" }, "weak", "not green, excused by BAS-001"],
  ])("%j is %s", (rest, strength, words) => {
    expect([strengthOf([result(rest)]), proofWords(result(rest))]).toEqual([strength, words]);
  });

  it("is strong for a task if one check fails without the change", () => {
    expect(strengthOf([result(base(true)), result(base(false))])).toBe("strong");
    expect(strengthOf([result(), result(base(true))])).toBe("weak");
    expect(strengthOf([])).toBe("weak");
    expect(weakProofWords([result(), result(base(true))])).toBe("weak proof: no check failed without the change");
    expect(weakProofWords([result({ flaky: true })])).toBe("weak proof: a check is flaky");
    expect(weakProofWords([result({ passed: false, excused: "BAS-001" })])).toBe("weak proof: a check is not green");
    expect([weakProofWords([]), weakProofWords([result()]), weakProofWords([result(base(false))])]).toEqual([
      "",
      "",
      "",
    ]);
  });

  it("is told for a task that is done, whoever accepted it", () => {
    const at = { at: 1, reason: null };
    const report = {
      ...at,
      by: "agent:a",
      startedAt: 1,
      durationMs: 1,
      commit: "c0ffee",
      created: [],
      modified: [],
      checks: [result(base(false)), result(base(true)), result(base(true)), result()],
      failure: null,
    };
    const checks = { state: "accepted", by: "checks", ...at } as const;
    expect(taskProof({ id: "T", acceptance: checks, report })).toEqual({
      task: "T",
      strength: "strong",
      words: "red → green, green → green",
    });
    expect(taskProof({ id: "T", acceptance: checks, report: { ...report, commit: null } }).strength).toBe(
      "unversioned",
    );
    expect(taskProof({ id: "T", acceptance: checks, report: null })).toMatchObject({
      strength: "unversioned",
      words: "no commit holds the work",
    });
    const person = { state: "accepted", by: "human:ada", at: 1, reason: "looked at it" } as const;
    expect(taskProof({ id: "T", acceptance: person, report })).toEqual({
      task: "T",
      strength: "override",
      words: "accepted by human:ada: looked at it",
    });
    expect(taskProof({ id: "T", acceptance: { ...person, reason: null }, report }).words).toBe("accepted by human:ada");
    expect(taskProof({ id: "T", acceptance: null, report }).strength).toBe("override");
  });

  it("fails unless it passed or a baseline excuses it", () => {
    expect([{ passed: true }, { passed: false }, { passed: false, excused: "BAS-001" }].map(hasFailed)).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe("the proof for a person who decides", () => {
  it.each<[readonly Partial<CheckResult>[], string]>([
    [[base(false), base(false), base(true)], "strong (red → green; green → green)"],
    [[{}], "unknown"],
    [[], "none, there are no checks"],
  ])("%j: %s", (checks, expected) => {
    expect(proofText(checks.map(result))).toBe(expected);
  });
});
