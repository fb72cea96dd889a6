import { describe, expect, it } from "vitest";
import type { GraphNode } from "./geometry.js";
import { laneWords, waveWords } from "./wave-words.js";

const node = (id: string, column: number, status: GraphNode["status"], rest: Partial<GraphNode> = {}): GraphNode => ({
  id,
  title: id,
  kind: "work",
  status,
  reason: "claimable",
  lane: "F1",
  hours: 1,
  critical: false,
  column,
  row: 0,
  ...rest,
});

describe("what a wave says", () => {
  it("counts what moves and what stops", () => {
    const nodes = [
      node("A", 0, "done"),
      node("B", 1, "in_progress"),
      node("C", 1, "rejected"),
      node("D", 2, "blocked"),
      node("E", 3, "ready"),
      node("F", 3, "ready"),
      node("G", 3, "in_progress"),
    ];
    expect(waveWords({ nodes, columns: 4 })).toEqual({
      words: ["done", "1 runs, 1 rejected", "waits", "1 runs, 2 ready"],
      here: 3,
    });
    expect(waveWords({ nodes: [node("A", 0, "done")], columns: 1 }).here).toBe(-1);
  });

  it.each([
    [[node("A", 0, "done"), node("L", 1, "ready", { kind: "land", reason: "human" })], /land task waits for you/],
    [[node("A", 0, "done"), node("L", 1, "blocked", { kind: "land" })], /^every task is done$/],
    [[node("A", 0, "in_progress"), node("L", 1, "blocked", { kind: "land" })], /^1 runs$/],
  ])("of a lane that is shut: %#", (nodes, words) => expect(laneWords(nodes, new Set())).toMatch(words));
});
