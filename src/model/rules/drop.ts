// What is dropped when a branch, or a part of it, is given up. Finished work stays, and so does
// everything that contains some of it; a land task goes only with its whole feature.

import { step } from "../next-step.js";
import { type Branch, isSettled } from "../node/branch.js";
import { type Node, type NodeFields, type Nr, tierRank } from "../node/node.js";
import { ok, type Result, refused } from "../result.js";
import { isLive, isStanding } from "../status/rollup.js";
import { withoutNewPlan } from "./replan.js";
import type { Settling } from "./task-outcome.js";

/** `asked` says what may go at all; the answer is in the order of the branch. */
export function toDrop(branch: Branch, asked: (node: Node) => boolean): Node[] {
  const going = new Set<Nr>();
  /** Containers with a child that stays. */
  const held = new Set<Nr | null>();
  const deepestFirst = [...branch].sort((a, b) => tierRank(b.tier) - tierRank(a.tier));
  for (const node of deepestFirst) {
    if (!isSettled(node) && asked(node) && !held.has(node.nr) && !isStanding(node)) going.add(node.nr);
    else if (isLive(node)) held.add(node.parent);
  }
  return branch.filter((node) => going.has(node.nr) && !(node.kind === "land" && !going.has(node.parent as Nr)));
}

/** One branch, by its root. */
export function dropBranch(branch: Branch): Result<Node[]> {
  const [root] = branch;
  if (root.kind === "land" && !isSettled(root)) {
    return refused("land-task", `${root.id} lands its feature, so it is dropped only together with the feature.`, {
      next: [step("why", { reference: root.id })],
    });
  }
  const dropped = toDrop(branch, () => true);
  if (dropped.length > 0 || withoutNewPlan(branch, dropped).length > 0) return ok(dropped);
  const standing = branch.find(isStanding);
  const next = [step("show", { reference: root.id })];
  if (standing) {
    return refused(
      "standing",
      `Nothing in ${root.id} can be dropped: ${standing.id} is part of every plan and stays.`,
      { next },
    );
  }
  return refused("settled", `Nothing in ${root.id} can be dropped: all of it is finished.`, { next });
}

export const dropPatch = ({ by, at, op }: Settling, reason: string | null): Partial<NodeFields> => ({
  outcome: { kind: "dropped", by, at, op, reason },
  claim: null,
  freeze: null,
});
