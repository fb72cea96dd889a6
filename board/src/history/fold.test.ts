import { describe, expect, it } from "vitest";
import type { LogRow } from "../api/types.js";
import { fieldWords } from "./field-words.js";
import { foldLines, markOf, slotsOf } from "./fold.js";

const row = (op: number, verb: string, sentence: string, actor = "daemon:vm"): LogRow => ({
  op,
  at: new Date(op * 60_000).toISOString(),
  actor,
  verb,
  sentence,
  commit: null,
  undoes: null,
  redoes: null,
  undone: false,
  targets: [],
  moreTargets: false,
});

const ROWS = [
  row(6, "approve", "human:ana approved FEAT-1", "human:ana"),
  row(5, "attempt", "ATT-00002 of TASK-2 is working"),
  row(4, "attempt", "ATT-00001 of TASK-1 is checking"),
  row(3, "attempt", "ATT-00001 of TASK-1 is working"),
  row(2, "add", "added TASK-1", "agent:bot"),
];

describe("history", () => {
  it("folds the steps of one attempt into one line", () => {
    expect(foldLines(ROWS).map(({ rows }) => rows.map(({ op }) => op))).toEqual([[6], [5], [4, 3], [2]]);
  });

  it("counts operations by who made them, and knows the last one of each slot", () => {
    const slots = slotsOf(ROWS, 4);
    expect(slots.reduce((sum, { counts }) => sum + counts.human + counts.agent + counts.daemon, 0)).toBe(5);
    expect(slots[0]?.counts.agent).toBe(1);
    expect(slots.at(-1)?.op).toBe(6);
    expect(slotsOf([], 4)).toEqual([]);
  });

  it.each([
    [row(1, "approve", "x"), "approve"],
    [row(1, "ask", "asked ESC-001"), "question"],
    [row(1, "land", "landed FEAT-1"), "land"],
    [row(1, "edit", "x"), null],
  ])("marks %#", (each, mark) => expect(markOf(each)).toBe(mark));

  it.each([
    [null, "none"],
    [[], "none"],
    ["words", "words"],
    [3, "3"],
    [{ by: "human:ana", at: "2026", reason: "waits", commit: "abc" }, "by human:ana; reason waits"],
    [["a", "b"], "a, b"],
  ])("says the value %j as %s", (value, words) => expect(fieldWords(value)).toBe(words));
});
