// A person decides that work is not needed: from then on it counts as met.

import { step } from "../next-step.js";
import { type Branch, isOpenTask, isSettled } from "../node/branch.js";
import { isContainer, type Node, type NodeFields, type Nr, tierRank } from "../node/node.js";
import { ok, type Result, refused } from "../result.js";
import { isStanding } from "../status/rollup.js";
import { ALONE, deriveStatus } from "../status/status.js";
import { withoutNewPlan } from "./replan.js";
import type { Settling } from "./task-outcome.js";

/**
 * Every open task, and every container in which nothing was done or archived; the others roll up by themselves. The inbox
 * and BUGS stay open for later work, and so does what contains them.
 */
export function toWaive(branch: Branch): Result<Node[]> {
  const [root] = branch;
  const next = [step("show", { reference: root.id })];
  if (isSettled(root)) {
    const { status } = deriveStatus(root, ALONE);
    return refused("settled", `${root.id} is ${status} already.`, { next });
  }
  /** Containers that stay as they are: with work in them, or part of every plan. */
  const worked = new Set<Nr | null>(branch.filter(isStanding).map(({ nr }) => nr));
  const deepestFirst = [...branch].sort((a, b) => tierRank(b.tier) - tierRank(a.tier));
  for (const node of deepestFirst) {
    if (node.outcome?.kind === "done" || node.archive || worked.has(node.nr)) worked.add(node.parent);
  }
  const isIdle = (node: Node): boolean => isContainer(node) && !worked.has(node.nr) && isUndecided(node);
  const unused = new Set<Nr | null>(
    branch.filter((node) => isStanding(node) && node.tasksLive === 0).map(({ nr }) => nr),
  );
  const waived = branch.filter((node) => (isOpenTask(node) && !unused.has(node.parent)) || isIdle(node));
  if (waived.length > 0 || withoutNewPlan(branch, waived).length > 0) return ok(waived);
  const standing = branch.filter(isStanding).map(({ id }) => id);
  return refused(
    "standing",
    `Nothing in ${root.id} can be waived: ${standing.join(" and ")} stay open for later work.`,
    { next },
  );
}

const isUndecided = (node: Node): boolean => node.outcome === null && node.archive === null;

export const waivePatch = ({ by, at, op }: Settling, reason: string): Partial<NodeFields> => ({
  outcome: { kind: "waived", by, at, op, reason },
  claim: null,
  freeze: null,
});
