import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeCycle, findCycle, findCycles } from "./cycle.js";

type Graph = Readonly<Record<string, readonly string[]>>;

const cycleIn = (graph: Graph): string[] | undefined => findCycle(Object.keys(graph), (node) => graph[node] ?? []);

describe("findCycle", () => {
  it.each<[string, Graph, string[] | undefined]>([
    ["nothing", {}, undefined],
    ["one node", { a: [] }, undefined],
    ["a chain", { a: ["b"], b: ["c"], c: [] }, undefined],
    ["a diamond", { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, undefined],
    ["a node that waits for itself", { a: ["a"] }, ["a", "a"]],
    ["two", { a: ["b"], b: ["a"] }, ["a", "b", "a"]],
    ["a cycle behind a chain", { a: ["b"], b: ["c"], c: ["d"], d: ["b"] }, ["b", "c", "d", "b"]],
    ["a cycle that no earlier start reaches", { a: [], b: ["a", "c"], c: ["b"] }, ["b", "c", "b"]],
    ["an unknown node", { a: ["z"] }, undefined],
  ])("in %s", (_, graph, expected) => {
    expect(cycleIn(graph)).toEqual(expected);
  });

  it("manages a chain of a hundred thousand", () => {
    const length = 100_000;
    const next = (node: number): number[] => (node + 1 < length ? [node + 1] : []);
    expect(findCycle([0], next)).toBeUndefined();
    expect(findCycle([0], (node) => (node + 1 < length ? [node + 1] : [0]))).toHaveLength(length + 1);
  });

  it("answers with a real cycle, exactly when there is one", () => {
    const edges = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 14 });
    fc.assert(
      fc.property(edges, (pairs) => {
        const next = (node: number): number[] => pairs.filter(([from]) => from === node).map(([, to]) => to);
        const cycle = findCycle([0, 1, 2, 3, 4, 5, 6, 7], next);
        expect(cycle !== undefined).toBe(hasCycle(pairs));
        for (const [i, node] of (cycle ?? []).slice(0, -1).entries()) expect(next(node)).toContain(cycle?.[i + 1]);
        expect(cycle?.at(-1)).toBe(cycle?.[0]);
      }),
    );
  });
});

it("findCycles tells of several, and of none twice", () => {
  const graph: Graph = { a: ["b"], b: ["a", "c"], c: ["d"], d: ["c"], e: ["e"] };
  const found = [...findCycles(Object.keys(graph), (node) => graph[node] ?? [])];
  expect(found.map((cycle) => cycle.slice(1).sort().join())).toEqual(["a,b", "c,d", "e"]);
});

/** By taking away what nothing leads on from, until nothing changes. */
function hasCycle(pairs: readonly (readonly [number, number])[]): boolean {
  let left = [...pairs];
  for (;;) {
    const sources = new Set(left.map(([from]) => from));
    const rest = left.filter(([, to]) => sources.has(to));
    if (rest.length === left.length) return left.length > 0;
    left = rest;
  }
}

describe("a cycle in words", () => {
  const ring = (count: number): string[] => [...Array.from({ length: count }, (_, n) => `T${n}`), "T0"];

  it("is named whole while a person can follow it", () => {
    expect(describeCycle(["A", "A"])).toBe("A → A");
    expect(describeCycle(ring(11))).toBe("T0 → T1 → T2 → T3 → T4 → T5 → T6 → T7 → T8 → T9 → T10 → T0");
  });

  it("is named by its beginning, and how many more there are", () => {
    expect(describeCycle(ring(1_000))).toBe("T0 → T1 → T2 → T3 → T4 → T5 → T6 → T7 → T8 → T9 → … (990 more) → T0");
    expect(describeCycle(ring(12))).toMatch(/T9 → … \(2 more\) → T0$/);
  });
});
