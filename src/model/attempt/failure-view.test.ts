import { describe, expect, it } from "vitest";
import type { CheckResult } from "../node/node.js";
import { excerptOf, failureDetails, failureGist, failureLines, shortWrong } from "./failure-view.js";

const numbered = (count: number, word: string): string[] => Array.from({ length: count }, (_, i) => `${word} ${i}`);

const check = (run: string, output: string, rest: Partial<CheckResult> = {}): CheckResult => ({
  run,
  passed: false,
  outcome: "exit 1, expected exit 0",
  durationMs: 1,
  output,
  ...rest,
});

describe("what a failed check said", () => {
  it("is all of it when it is short, without blank lines and colours", () => {
    expect(excerptOf("\u001b[31mError: no\u001b[0m\n\n  at a.js  \n")).toEqual(["Error: no", "  at a.js"]);
    expect(excerptOf("")).toEqual([]);
  });

  it("begins at the first error and ends with the last lines", () => {
    const output = ["✓ adds an error", ...numbered(9, "step"), "TypeError: x", ...numbered(9, "at"), "Tests 1 failed"];
    expect(excerptOf(output.join("\n"))).toEqual([
      "… 10 more lines …",
      "TypeError: x",
      "at 0",
      "at 1",
      "… 3 more lines …",
      "at 5",
      "at 6",
      "at 7",
      "at 8",
      "Tests 1 failed",
    ]);
  });

  it("shows no line twice if the error is among the last lines", () => {
    const output = [...numbered(20, "step"), "Error: x", "end"];
    expect(excerptOf(output.join("\n"))).toEqual([
      "… 17 more lines …",
      "step 17",
      "step 18",
      "step 19",
      "Error: x",
      "end",
    ]);
  });

  it("counts one line that is left out as one", () => {
    const output = ["start", "Error: x", ...numbered(12, "at")];
    expect(excerptOf(output.join("\n"))[0]).toBe("… 1 more line …");
  });

  it.each(["0 errors", "errors: 0", "no failures", "ok 3 fails with an error", "PASS error.test.ts"])(
    "does not begin at %j, which is no error",
    (line) => {
      expect(excerptOf([line, ...numbered(20, "step")].join("\n"))[0]).toBe("… 16 more lines …");
    },
  );

  it.each(["not ok 2 - adds", "✗ adds", "E   assert 1 == 2", "src/a.ts(1,2): error TS2322: no", "sh: x: not found"])(
    "begins at %j",
    (line) => {
      expect(excerptOf([line, ...numbered(20, "step")].join("\n"))[0]).toBe(line);
    },
  );

  it("cuts a line that is longer than a screen", () => {
    expect(excerptOf("x".repeat(1_000))).toEqual([`${"x".repeat(300)}…`]);
  });
});

describe("a failed check", () => {
  it("is one sentence where only one fits, with its first error", () => {
    const sentence = "The check `npm test` failed: exit 1, expected exit 0.";
    expect(failureGist(check("npm test", "a\n  Error: no\nb"))).toBe(`${sentence} Error: no`);
    expect(failureGist(check("npm test", "a"))).toBe(sentence);
  });

  it("is named above its lines if there are several, and never if it passed or was excused", () => {
    const failed = [check("a", "Error: a"), check("b", "Error: b")];
    const others = [check("c", "", { passed: true }), check("d", "no", { excused: "BASE-001" })];
    expect(failureDetails([...failed, ...others])).toEqual([
      "The check `a` failed: exit 1, expected exit 0.",
      "  Error: a",
      "The check `b` failed: exit 1, expected exit 0.",
      "  Error: b",
    ]);
    expect(failureDetails([check("a", "Error: a"), ...others])).toEqual(["Error: a"]);
    expect(failureLines(others)).toEqual([]);
  });

  it("is cut down to its gist in words that hold the whole output", () => {
    const failed = check("npm test", "one\nError: no\nthree");
    const whole = "The check `npm test` failed: exit 1, expected exit 0.\none\nError: no\nthree";
    const gist = "The check `npm test` failed: exit 1, expected exit 0. Error: no";
    expect(shortWrong(`Merged:\n\n${whole}`, [failed])).toBe(`Merged:\n\n${gist}`);
    expect(shortWrong("It changed nothing.", [failed])).toBe("It changed nothing.");
    expect(shortWrong("It changed nothing.", [])).toBe("It changed nothing.");
  });
});
