import { describe, expect, it } from "vitest";
import { aContainer, aNode, settled } from "../../../test/node.js";
import { recompute } from "../../../test/recompute.js";
import { sha256 } from "../../store/sha256.js";
import { contentHash } from "../node/content-hash.js";
import { mayContain, type Node, TIERS, tierRank } from "../node/node.js";

const on = (...targets: number[]): Partial<Node> => ({
  dependsOn: targets.map((nr) => ({ on: nr, origin: "stated" })),
});

/** Two features with a story each; B depends on A, C in the other feature on A and on the story around it. */
const PLAN: readonly Node[] = [
  aContainer({ nr: 1, tier: "mission", parent: null }),
  aContainer({ nr: 2, tier: "feature", parent: 1 }),
  aContainer({ nr: 3, tier: "feature", parent: 1, inbox: true }),
  aContainer({ nr: 4, tier: "story", parent: 2 }),
  aContainer({ nr: 5, tier: "story", parent: 3 }),
  aNode({ nr: 6, parent: 4 }),
  aNode({ nr: 7, parent: 4, ...on(6) }),
  aNode({ nr: 8, parent: 5, ...on(6, 4) }),
  aNode({ nr: 9, parent: 2, kind: "land" }),
  aNode({ nr: 10, parent: 1, approval: null }),
];

const derive = (nr: number, over: Readonly<Record<number, Partial<Node>>> = {}) =>
  recompute(PLAN.map((node) => ({ ...node, ...over[node.nr] }))).get(nr);

describe("recompute", () => {
  it("places every node, whatever the order of the rows", () => {
    const derived = recompute([...PLAN].reverse());
    expect([1, 2, 4, 6, 8, 10].map((nr) => derived.get(nr)?.feature)).toEqual([null, 2, 2, 2, 3, null]);
    expect([1, 2, 3, 5, 8].map((nr) => derived.get(nr)?.shelved)).toEqual([false, false, true, true, true]);
  });

  it("counts children, tasks and what waits from outside", () => {
    expect(derive(2)).toMatchObject({
      live: 2,
      finished: 0,
      tasksLive: 2,
      tasksFinished: 0,
      landedOp: null,
      awaited: 2,
    });
    const over = { 6: settled("done", 4), 7: settled("dropped", 5) };
    expect(derive(4, over)).toMatchObject({ live: 1, finished: 1 });
    expect(derive(2, over)).toMatchObject({ live: 2, finished: 1, tasksLive: 1, tasksFinished: 1 });
    expect(derive(2, { 9: settled("done", 8) })).toMatchObject({ landedOp: 8 });
  });

  it("takes the latest landing of a feature", () => {
    const lands = [9, 11].map((nr) => aNode({ nr, parent: 2, kind: "land", ...settled("done", 20 - nr) }));
    expect(recompute([...PLAN.filter(({ nr }) => nr !== 9), ...lands]).get(2)?.landedOp).toBe(11);
  });

  it("does not stumble over a parent or a dependency that is not there", () => {
    const derived = recompute([aNode({ nr: 5, parent: 99, ...on(98) })]);
    expect(derived.get(5)).toMatchObject({ feature: null, shelved: false, pending: 1 });
    expect(derived.get(5)?.hash).not.toBe("");
  });

  it("hashes what is approved", () => {
    const node = PLAN[5] as Node;
    expect(derive(6)?.hash).toBe(contentHash(node, () => node.uuid, sha256));
    expect(derive(10)?.hash).toBe("");
  });

  it("counts dependencies that are not met: within a feature, across features, and to nowhere", () => {
    expect([derive(7)?.pending, derive(8)?.pending]).toEqual([1, 2]);
    const done = { 6: settled("done", 4), 7: settled("done", 5) };
    expect([derive(7, done)?.pending, derive(8, done)?.pending]).toEqual([0, 2]);
    expect(derive(8, { ...done, 9: settled("done", 4) })?.pending).toBe(1);
    expect(derive(8, { ...done, 9: settled("done", 5) })?.pending).toBe(0);
    expect(derive(8, { 6: settled("waived", 4), 7: settled("waived", 5) })?.pending).toBe(0);
    expect(derive(10, { 10: on(99) })?.pending).toBe(1);
  });
});

it("tiers stand above each other in one order", () => {
  expect(TIERS.map(tierRank)).toEqual([0, 1, 2, 3, 4]);
  for (const [i, parent] of TIERS.entries()) {
    for (const [j, child] of TIERS.entries()) expect(mayContain(parent, child)).toBe(i < j);
  }
});
