import { describe, expect, it } from "vitest";
import type { CheckResult } from "../node/node.js";
import { hasFailed, proofSummary, proofWords, strengthOf } from "./proof.js";

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
    [{ passed: false }, "weak", "red"],
    [{ passed: false, excused: "BAS-001" }, "weak", "not green, excused by BAS-001"],
  ])("%j is %s", (rest, strength, words) => {
    expect([strengthOf([result(rest)]), proofWords(result(rest))]).toEqual([strength, words]);
  });

  it("is strong for a task if one check fails without the change", () => {
    expect(strengthOf([result(base(true)), result(base(false))])).toBe("strong");
    expect(strengthOf([result(), result(base(true))])).toBe("weak");
    expect(strengthOf([])).toBe("weak");
  });

  it("is told in one phrase", () => {
    expect(proofSummary([result(base(false)), result(base(true)), result(base(true)), result()])).toBe(
      "strong (red → green, green → green)",
    );
    expect(proofSummary([result()])).toBe(null);
  });

  it("fails unless it passed or a baseline excuses it", () => {
    expect([{ passed: true }, { passed: false }, { passed: false, excused: "BAS-001" }].map(hasFailed)).toEqual([
      false,
      true,
      false,
    ]);
  });
});
