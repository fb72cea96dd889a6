import { describe, expect, it } from "vitest";
import type { LogRow } from "../api/types.js";
import { fieldWords } from "./field-words.js";
import { foldLines, markOf, slotsOf, slotsOfDensity } from "./fold.js";

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

  it("gathers attempts that run side by side, with what each worker was given", () => {
    const touching = (each: LogRow, ...ids: readonly string[]): LogRow => ({
      ...each,
      targets: ids.map((id) => ({ entity: id.startsWith("ATT") ? "attempt" : "node", id, revision: null })),
    });
    const rows = [
      touching(row(9, "complete", "TASK-1 is done"), "TASK-1", "ATT-00001"),
      touching(row(8, "attempt", "ATT-00002 of TASK-2 is working"), "TASK-2", "ATT-00002"),
      touching(row(7, "attempt", "ATT-00001 of TASK-1 is checking"), "TASK-1", "ATT-00001"),
      row(6, "bundle", "daemon:vm packed TASK-2"),
      row(5, "bundle", "daemon:vm packed TASK-9"),
    ];
    expect(foldLines(rows).map(({ rows: all }) => all.map(({ op }) => op))).toEqual([[9, 7], [8, 6], [5]]);
  });

  it("says how a run stands, not who drove it", () => {
    const rows = [
      row(3, "plan-step", "human:ana stopped driving RUN-001"),
      row(2, "plan-step", "RUN-001 is ready for approval"),
      row(1, "plan", "human:ana started RUN-001"),
    ];
    const [line, ...others] = foldLines(rows);
    expect([line?.said.op, line?.rows.length, others]).toEqual([2, 3, []]);
  });

  it("counts operations by who made them, and knows the last one of each slot", () => {
    const slots = slotsOf(ROWS, 4);
    expect(slots.reduce((sum, { counts }) => sum + counts.human + counts.agent + counts.daemon, 0)).toBe(5);
    expect(slots[0]?.counts.agent).toBe(1);
    expect(slots.at(-1)?.op).toBe(6);
    expect(slotsOf([], 4)).toEqual([]);
  });

  it("never leads with who stopped driving a run", () => {
    const rows = [
      row(3, "plan-step", "human:ana stopped driving RUN-002"),
      row(2, "plan-step", "human:ana works on RUN-002"),
    ];
    expect(foldLines(rows).map(({ said }) => said.op)).toEqual([2]);
  });

  it("fills the slots of the server in which nothing happened", () => {
    const at = (hour: number): string => new Date(hour * 3_600_000).toISOString();
    const slots = slotsOfDensity({
      slotMinutes: 60,
      slots: [
        { from: at(1), human: 2, agent: 0, daemon: 1, last: 3 },
        { from: at(4), human: 0, agent: 1, daemon: 0, last: 4 },
      ],
    });
    expect(slots.map(({ op, counts }) => [op, counts.human + counts.agent + counts.daemon])).toEqual([
      [3, 3],
      [3, 0],
      [3, 0],
      [4, 1],
    ]);
    expect([slots[0]?.from, slots.at(-1)?.to]).toEqual([3_600_000, 5 * 3_600_000]);
    expect(slotsOfDensity({ slotMinutes: 60, slots: [] })).toEqual([]);
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
