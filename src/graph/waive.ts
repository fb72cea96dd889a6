// A person decides that something need not be done: from then on it counts as met.

import { type Branch, isOpenTask, isSettled } from "./branch.js";
import { isContainer, type Node, type NodeFields, type Nr, tierRank } from "./node.js";
import { ok, type Result, refused } from "./result.js";
import type { Settling } from "./settle-work.js";
import { ALONE, deriveStatus } from "./status.js";

/** Every open task, and every container in which nothing was done or archived; the others roll up by themselves. */
export function toWaive(branch: Branch): Result<Node[]> {
  const [root] = branch;
  if (isSettled(root)) {
    const { status } = deriveStatus(root, ALONE);
    return refused("settled", `${root.id} is ${status} already.`, {
      hint: `\`planwright show ${root.id}\` says since when and by whom.`,
    });
  }
  const worked = new Set<Nr | null>();
  const deepestFirst = [...branch].sort((a, b) => tierRank(b.tier) - tierRank(a.tier));
  for (const node of deepestFirst) {
    if (node.outcome?.kind === "done" || node.archive || worked.has(node.nr)) worked.add(node.parent);
  }
  const isIdle = (node: Node): boolean => isContainer(node) && !worked.has(node.nr) && isUndecided(node);
  return ok(branch.filter((node) => isOpenTask(node) || isIdle(node)));
}

const isUndecided = (node: Node): boolean => node.outcome === null && node.archive === null;

export const waivePatch = ({ by, at, op }: Settling, reason: string): Partial<NodeFields> => ({
  outcome: { kind: "waived", by, at, op, reason },
  claim: null,
  freeze: null,
});
