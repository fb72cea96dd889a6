import { describe, expect, it } from "vitest";
import { findCycle, findCycles } from "./cycle.js";
import { knotOf, orderOf } from "./order.js";

type Waits = Readonly<Record<string, readonly string[]>>;
const waitsIn =
  (waits: Waits) =>
  (item: string): readonly string[] =>
    waits[item] ?? [];
const order = (waits: Waits): ReturnType<typeof orderOf<string>> => orderOf(Object.keys(waits), waitsIn(waits));

describe("orderOf", () => {
  it("puts everything after what it waits for", () => {
    expect(order({ c: ["b", "a"], b: ["a"], a: [] }).sorted).toEqual(["a", "b", "c"]);
  });

  it("counts a thing once, and leaves out what is not there", () => {
    const { sorted, waits } = order({ a: ["gone"], b: ["a", "a"] });
    expect(sorted).toEqual(["a", "b"]);
    expect(waits).toEqual([[], [0]]);
  });

  it("has no order for a cycle and what waits for it, and tells the two apart", () => {
    const found = order({ a: [], b: ["c"], c: ["b", "a"], d: ["c"], e: ["d"] });
    expect(found.sorted).toEqual(["a"]);
    expect(found.rest).toEqual(["b", "c", "d", "e"]);
    expect(knotOf(found)).toEqual(["b", "c"]);
  });

  it("walks a chain of a hundred thousand without recursion", () => {
    const length = 100_000;
    const chain = Array.from({ length }, (_, i) => i);
    const { sorted, rest } = orderOf(chain, (i) => (i + 1 < length ? [i + 1] : []));
    expect([sorted[0], sorted.at(-1), sorted.length, rest.length]).toEqual([length - 1, 0, length, 0]);
  });
});

describe("findCycles", () => {
  const cycles = (waits: Waits): string[] =>
    [...findCycles(Object.keys(waits), waitsIn(waits))].map((c) => c.join(" → "));

  it("names each cycle from a member back to itself", () => {
    expect(cycles({ a: ["b"], b: ["a"], c: ["c"], d: ["a"] })).toEqual(["a → b → a", "c → c"]);
  });

  it("names a cycle once, however many ways lead into it", () => {
    expect(cycles({ a: ["b", "c"], b: ["c"], c: ["b"] })).toEqual(["b → c → b"]);
    expect(cycles({ a: ["b"], b: ["c", "b"], c: ["a"] })).toEqual(["a → b → c → a"]);
  });

  it("finds none where there is none", () => {
    expect(cycles({ a: ["b", "c"], b: ["d"], c: ["d"], d: [] })).toEqual([]);
    expect(findCycle(["a"], () => [])).toBeUndefined();
    expect(findCycle(["a"], () => ["a"])).toEqual(["a", "a"]);
  });
});
