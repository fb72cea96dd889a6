import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../store/sha256.js";
import { classifyFailure, deviationScore, type FailureSignals, fingerprint } from "./failure.js";

const SIGNALS: FailureSignals = {
  where: "checks",
  ending: "finished",
  exit: 1,
  output: "something went wrong",
  fingerprint: "",
  earlier: [],
  overlaps: [],
  deviation: 0,
  contradicts: [],
  conflict: false,
};

const signals = (over: Partial<FailureSignals>): FailureSignals => {
  const { output = SIGNALS.output } = over;
  return { ...SIGNALS, fingerprint: fingerprint(output, sha256), ...over };
};
const again = [fingerprint(SIGNALS.output, sha256), fingerprint(SIGNALS.output, sha256)];

describe("a failure is classified by the first rule that applies", () => {
  it.each<[string, Partial<FailureSignals>, string, string]>([
    [
      "an open conflict, whatever else",
      { conflict: true, output: "ECONNRESET" },
      "conflict",
      "it conflicts with other work",
    ],
    ["a merge that failed", { where: "merge" }, "conflict", "it conflicts with other work"],
    [
      "an agent that declined",
      { where: "worker", ending: "refused" },
      "other",
      "it was stopped or declined, and trying again changes nothing",
    ],
    [
      "an agent whose host has no room",
      { where: "worker", ending: "refused", output: "529 Overloaded" },
      "transient",
      "it looks like trouble that passes",
    ],
    [
      "an agent at its limit",
      { where: "worker", ending: "over-budget" },
      "other",
      "it was stopped or declined, and trying again changes nothing",
    ],
    [
      "a worker that somebody stopped",
      { where: "worker", ending: "cancelled" },
      "other",
      "it was stopped or declined, and trying again changes nothing",
    ],
    [
      "a lost connection",
      { where: "worker", output: "read ECONNRESET" },
      "transient",
      "it looks like trouble that passes",
    ],
    [
      "a lost connection in a check",
      { output: "Error: getaddrinfo EAI_AGAIN host" },
      "transient",
      "it looks like trouble that passes",
    ],
    [
      "a worker that was told to slow down",
      { where: "worker", output: "HTTP 429" },
      "transient",
      "it looks like trouble that passes",
    ],
    [
      "words for the same",
      { where: "worker", output: "Rate limit reached" },
      "transient",
      "it looks like trouble that passes",
    ],
    [
      "a check about a 429, which is no accident",
      { output: "AssertionError: expected 429 to be 200" },
      "logic",
      "it is the first failure, and the output names a fault",
    ],
    [
      "a number that only contains 503",
      { where: "worker", output: "line 15031" },
      "logic",
      "nothing points to another cause",
    ],
    ["silence", { where: "worker", ending: "stalled", exit: null }, "transient", "it looks like trouble that passes"],
    [
      "an agent that could not be started",
      { where: "worker", ending: "unavailable" },
      "transient",
      "it looks like trouble that passes",
    ],
    [
      "a process that a signal ended",
      { where: "worker", ending: "crashed", exit: null },
      "transient",
      "it looks like trouble that passes",
    ],
    [
      "a process that ended itself",
      { where: "worker", ending: "crashed", exit: 2 },
      "logic",
      "nothing points to another cause",
    ],
    [
      "git that was busy",
      { where: "surroundings", output: "Unable to create '/r/index.lock'" },
      "transient",
      "it looks like trouble that passes",
    ],
    [
      "a disk that is full",
      { where: "surroundings", output: "No space left on device" },
      "transient",
      "it looks like trouble that passes",
    ],
    ["a lock in the output of a check", { output: "found index.lock" }, "logic", "nothing points to another cause"],
    ["the same three times", { earlier: again }, "design", "it failed 3 times in the same way"],
    ["the same twice", { earlier: again.slice(1) }, "logic", "nothing points to another cause"],
    [
      "the same, with another between",
      { earlier: [...again.slice(1), "0123456789abcdef"] },
      "logic",
      "nothing points to another cause",
    ],
    ["files of other tasks", { overlaps: ["src/a.ts"] }, "plan", "it changed files that other tasks are about"],
    [
      "files of other tasks, before a plain fault",
      { overlaps: ["a"], output: "TypeError: x" },
      "plan",
      "it changed files that other tasks are about",
    ],
    [
      "a plain fault at first",
      { output: "TypeError: x is not a function" },
      "logic",
      "it is the first failure, and the output names a fault",
    ],
    [
      "a plain fault, drifting",
      { output: "2 tests failed", deviation: 0.5 },
      "logic",
      "it is the first failure, and the output names a fault",
    ],
    ["far from the plan", { earlier: ["a"], deviation: 0.7 }, "plan", "the work has drifted far from what was planned"],
    ["against what was decided", { contradicts: ["CON-001"] }, "architecture", "it contradicts what was decided"],
    [
      "a check that only failed names no fault",
      { output: "exit 1, expected exit 0" },
      "logic",
      "nothing points to another cause",
    ],
    ["nothing to go by", {}, "logic", "nothing points to another cause"],
    ["nothing to go by, drifting", { deviation: 0.69 }, "logic", "nothing points to another cause"],
  ])("%s", (_, over, failure, because) => {
    expect(classifyFailure(signals(over))).toEqual({ class: failure, because });
  });
});

describe("a fingerprint", () => {
  const ran = (folder: string, at: string, ms: number): string =>
    [
      `\u001b[31mFAIL\u001b[0m ${folder}/src/auth/login.test.ts:${ms}:7`,
      `at ${at} (${ms}ms) pid ${ms} commit 0c4f${ms}aab 0x7ff${ms}`,
      "run 019b76da-a801-7101-8101-010101010101",
    ].join("\n");

  it("is the same for the same failure in another worktree, at another time", () => {
    expect(fingerprint(ran("/w/slot-1", "2026-01-01T10:00:00.123Z", 120), sha256)).toBe(
      fingerprint(ran("C:\\w\\slot-22", "2026-02-03 11:12:13+02:00", 3_456), sha256),
    );
  });

  it("tells one failure from another", () => {
    const files = ["a.test.ts", "b.test.ts"].map((file) => fingerprint(`FAIL src/${file}: expected true`, sha256));
    expect(new Set(files).size).toBe(2);
  });

  it("is short hex of any text, however long a word is", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(fingerprint(text, sha256)).toMatch(/^[0-9a-f]{16}$/);
      }),
    );
    expect(fingerprint("a".repeat(2_000_000), sha256)).not.toBe(fingerprint("b".repeat(2_000_000), sha256));
  });
});

describe("the deviation of a task", () => {
  it.each([
    [{ failedAttempts: 0, revisions: 0, tokens: 0, tokensPlanned: null }, 0],
    [{ failedAttempts: 1, revisions: 0, tokens: 0, tokensPlanned: null }, 0.4],
    [{ failedAttempts: 1, revisions: 1, tokens: 0, tokensPlanned: null }, 0.7],
    [{ failedAttempts: 0, revisions: 0, tokens: 150, tokensPlanned: 100 }, 0.15],
    [{ failedAttempts: 0, revisions: 0, tokens: 50, tokensPlanned: 100 }, 0],
    [{ failedAttempts: 0, revisions: 0, tokens: 50, tokensPlanned: 0 }, 0],
    [{ failedAttempts: 9, revisions: 9, tokens: 9, tokensPlanned: 1 }, 1],
  ])("of %o is %d", (drift, score) => expect(deviationScore(drift)).toBe(score));
});
