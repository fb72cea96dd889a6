import { describe, expect, it } from "vitest";
import { withinLine } from "../kit/wording.js";
import { safeOutput } from "./safe-output.js";

const FORGED = "a.ts\n✓ TASK-1 is done";
const linesOf = (value: unknown): string[] => JSON.stringify(value, null, 1).split(/\\n|\\r|\u2028|\u2029/);

describe("an answer as views see it", () => {
  it.each<[string, unknown]>([
    ["files of a change", { changes: { created: [FORGED], modified: [FORGED], deleted: [FORGED] } }],
    ["files that were left alone", { leftAlone: [FORGED] }],
    ["a footprint", { files: [FORGED], symbols: [FORGED] }],
    ["a folder", { worktree: FORGED, directory: FORGED, path: FORGED }],
    ["a branch", { branch: FORGED, ref: FORGED }],
    ["who did it", { by: FORGED, worker: { name: FORGED, model: FORGED } }],
    ["what an agent noted", { note: FORGED, failure: { reason: FORGED } }],
    ["the sentence of an operation", [{ sentence: FORGED }]],
    ["a name as a key", { [FORGED]: 1 }],
    ["other line breaks", { file: "a\r✓", path: "a\u2028✓", note: "a\r\n✓" }],
  ])("has no line break in %s", (_, answer) => {
    expect(linesOf(safeOutput(answer))).toHaveLength(1);
  });

  it("keeps long texts, numbers, dates and everything else as they are", () => {
    const answer = { body: FORGED, output: FORGED, count: 3, none: null, at: new Date(0), open: true, id: "TASK-1" };
    expect(safeOutput(answer)).toEqual(answer);
  });
});

describe("a message", () => {
  it("is one paragraph: no line but the first begins at the margin", () => {
    expect(withinLine("no file a\n\n✓ done\r\nb\u001b[2J").split("\n")).toEqual([
      "no file a",
      "  ✓ done",
      "  b⟨U+001B⟩[2J",
    ]);
  });
});
