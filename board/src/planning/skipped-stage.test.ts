import { describe, expect, it } from "vitest";
import { skippedWords } from "./skipped-stage.js";

describe("a stage", () => {
  const path = ["intake", "clarify", "tasks", "sequence", "review", "overview", "approval"] as const;

  it.each([
    ["overview", ["overviewer"], "skipped"],
    ["review", ["critic"], "critic skipped"],
    ["clarify", ["clarifier"], "skipped"],
    ["files", [], "skipped"],
    ["tasks", ["critic", "overviewer"], null],
    ["overview", ["critic"], null],
  ] as const)("%s without %j is %s", (stage, leftOut, words) =>
    expect(skippedWords(stage, { leftOut, path })).toBe(words),
  );
});
