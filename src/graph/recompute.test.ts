import { describe, expect, it } from "vitest";
import { node, settled } from "../../test/branch.js";
import type { Edge, Nr } from "./node.js";
import { recompute } from "./recompute.js";

const on = (...nrs: Nr[]): { dependsOn: Edge[] } => ({ dependsOn: nrs.map((nr) => ({ on: nr, origin: "stated" })) });
const approval = { by: "human:ada", at: 1, hash: "" };
const landed = (nr: Nr, op: number) => {
  const { outcome, acceptance } = settled("done");
  return node(nr, "task", 2, { kind: "land", acceptance, outcome: outcome && { ...outcome, op } });
};

describe("recompute", () => {
  it("takes the latest landing of a feature", () => {
    const derived = recompute([node(1, "mission", null), node(2, "feature", 1), landed(3, 5), landed(4, 4)]);
    expect(derived.get(2)?.landedOp).toBe(5);
  });

  it("does not stumble over a parent or a dependency that is not there", () => {
    const derived = recompute([node(5, "task", 99, { approval, ...on(98) })]);
    expect(derived.get(5)).toMatchObject({ feature: null, shelved: false, pending: 1 });
    expect(derived.get(5)?.hash).not.toBe("");
  });

  it("counts who waits for a feature from outside", () => {
    const derived = recompute([
      node(1, "mission", null),
      node(2, "feature", 1),
      node(3, "feature", 1),
      node(10, "task", 2),
      node(11, "task", 2, on(10)),
      node(12, "task", 3, on(10)),
    ]);
    expect([derived.get(2)?.awaited, derived.get(3)?.awaited]).toEqual([1, 0]);
  });
});
