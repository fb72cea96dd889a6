import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AT, aContainer, aNode, settled } from "../../../test/node.js";
import type { Node } from "../node/node.js";
import { mootness } from "../rules/arbitrate.js";
import {
  clashesAmong,
  conflictBehind,
  freezeReason,
  occupiedBy,
  overlapsOf,
  placesOf,
  waitsForEdge,
  withConflictEdge,
  withoutConflictEdge,
} from "./conflict.js";
import { overlap } from "./overlap.js";

const work = (nr: number, ...files: string[]): Node => aNode({ nr, id: `T-${nr}`, files });

describe("clashes", () => {
  it("name who is in the way, and where", () => {
    const [candidate, other] = [work(1, "src/auth.ts"), work(2, "src/auth.ts", "b")];
    expect(clashesAmong([other, work(3, "c"), candidate])).toEqual([
      { layer: "files", files: ["src/auth.ts"], symbols: [], first: other, second: candidate },
    ]);
  });

  it("are only among those that change files", () => {
    const review = { ...work(2, "a"), kind: "review" as const };
    expect(clashesAmong([review, aContainer({ nr: 3, files: ["a"] }), work(1, "a")])).toEqual([]);
    expect(clashesAmong([work(1, "a"), review])).toEqual([]);
    expect(overlapsOf(work(1, "a"), occupiedBy([review]))).toEqual([]);
    expect(overlapsOf(review, occupiedBy([work(1, "a")]))).toEqual([]);
  });

  it("are found by the footprint alone", () => {
    const candidate = work(1, "src/auth.ts");
    expect(overlapsOf(candidate, occupiedBy([candidate, work(3, "c")]))).toEqual([]);
    expect(overlapsOf(candidate, occupiedBy([work(3, "c"), work(2, "src/")]))).toEqual([
      { nr: 2, id: "T-2", layer: "files", files: ["src/auth.ts"], symbols: [] },
    ]);
  });

  it("among many are found once, the earlier first", () => {
    const found = clashesAmong([work(1, "a"), work(2, "b"), work(3, "a", "b"), { ...work(4, "a"), kind: "gate" }]);
    expect(found.map(({ first, second }) => [first.id, second.id])).toEqual([
      ["T-1", "T-3"],
      ["T-2", "T-3"],
    ]);
  });

  it("never leave two overlapping tasks to run together, whatever is ready and in whatever order (property)", () => {
    const path = fc.constantFrom("a/", "a/b.ts", "a/*.ts", "c.ts", "**", "d/e", "d/e/f.go");
    const symbol = fc.constantFrom("x", "y", "a/b.ts#x", "c.ts#y.z");
    const footprints = fc.array(
      fc.record({ files: fc.array(path, { maxLength: 3 }), symbols: fc.array(symbol, { maxLength: 2 }) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(footprints, (tasks) => {
        const inFlight: Node[] = [];
        for (const [nr, footprint] of tasks.entries()) {
          const candidate = aNode({ nr, ...footprint });
          if (overlapsOf(candidate, occupiedBy(inFlight)).length === 0) inFlight.push(candidate);
        }
        const met = inFlight.flatMap((a) => inFlight.filter((b) => a !== b && overlap(a, b) !== null));
        expect(met).toEqual([]);
        expect(clashesAmong(inFlight)).toEqual([]);
      }),
    );
  });
});

describe("a conflict", () => {
  it.each([
    [["a"], [], "a"],
    [["a"], ["a#x"], "a#x"],
    [["a", "b"], ["a#x"], "a, b"],
    [["a", "b", "c", "d", "e"], [], "a, b, c and 2 more"],
  ])("in %o, %o is in %s", (files, symbols, places) => expect(placesOf({ files, symbols })).toBe(places));

  it("is an edge that leaves stated ones alone", () => {
    const stated = [{ on: 5, origin: "stated" as const }];
    expect(withConflictEdge(stated, 5)).toBe(stated);
    const both = withConflictEdge(stated, 6);
    expect(both).toEqual([...stated, { on: 6, origin: "conflict" }]);
    expect(withoutConflictEdge(both, 6)).toEqual(stated);
    expect(withoutConflictEdge(both, 5)).toBe(both);
    expect([waitsForEdge(aNode({ dependsOn: both }), 6), waitsForEdge(aNode(), 6)]).toEqual([true, false]);
  });

  const frozen = (reason: string): Pick<Node, "freeze"> => ({
    freeze: { reason, by: "daemon:h", at: AT, from: 1, commit: null },
  });

  it("is named by the freeze that it caused", () => {
    expect(conflictBehind(frozen(freezeReason("CONFLICT-00001", "it waits")))).toBe("CONFLICT-00001");
    expect(conflictBehind(frozen("because of CONFLICT-00001"))).toBeUndefined();
    expect(conflictBehind({ freeze: null })).toBeUndefined();
  });

  const open = work(1);
  it.each<[string, Node | undefined, Node | undefined, boolean, string | null]>([
    ["stands while the first is open", open, work(2), false, null],
    ["ends when the first is done", { ...open, ...settled("done") }, work(2), true, "T-1 is done"],
    ["stands until what is done has landed", { ...open, ...settled("done") }, work(2), false, null],
    ["ends when the first is dropped", { ...open, ...settled("dropped") }, work(2), false, "T-1 will not be worked on"],
    ["ends when the second is settled", open, { ...work(2), ...settled("waived") }, false, "T-2 is finished"],
    [
      "ends when the first is rejected",
      { ...open, acceptance: { state: "rejected", by: "checks", at: AT, reason: null } },
      work(2),
      false,
      "T-1 is stopped, so T-2 does not wait for it",
    ],
    [
      "ends when the first is frozen for another reason",
      { ...open, ...frozen("paused") },
      work(2),
      false,
      "T-1 is stopped, so T-2 does not wait for it",
    ],
    [
      "stands when a conflict froze the first, because a person decides about that",
      { ...open, ...frozen(freezeReason("CONFLICT-00001", "both stop")) },
      work(2),
      false,
      null,
    ],
    ["ends when the first is gone", undefined, work(2), false, "the task that went first no longer exists"],
    ["ends when the second is gone", open, undefined, false, "the task that waited no longer exists"],
  ])("%s", (_, first, second, isMet, why) => expect(mootness(first, second, { isMet, isAsked: false })).toBe(why));

  it("stands after the first is done while a person is asked about it", () => {
    const done = { ...open, ...settled("done") };
    expect(mootness(done, work(2), { isMet: true, isAsked: true })).toBeNull();
  });
});
