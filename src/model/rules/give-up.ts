// What is dropped, waived or planned again when a branch, or a part of it, is given up. Finished work stays, and so does everything
// that contains some of it; a land task goes only with its whole feature.

import { step } from "../next-step.js";
import { isContainer, type Node, type NodeFields, type Nr, tierRank } from "../node/node.js";
import { ok, type Result, refused } from "../result.js";
import { type Branch, isLive, isOpenTask, isSettled, isStanding } from "../status/rollup.js";
import { ALONE, deriveStatus } from "../status/status.js";
import { withArticle } from "../words.js";
import type { Settling } from "./task-outcome.js";

const deepestFirst = (branch: Branch): Node[] => [...branch].sort((a, b) => tierRank(b.tier) - tierRank(a.tier));

/** `asked` says what may go at all; the answer is in the order of the branch. */
export function toDrop(branch: Branch, asked: (node: Node) => boolean): Node[] {
  const going = new Set<Nr>();
  /** Containers with a child that stays. */
  const held = new Set<Nr | null>();
  for (const node of deepestFirst(branch)) {
    if (!isSettled(node) && asked(node) && !held.has(node.nr) && !isStanding(node)) going.add(node.nr);
    else if (isLive(node)) held.add(node.parent);
  }
  return branch.filter((node) => going.has(node.nr) && !(node.kind === "land" && !going.has(node.parent as Nr)));
}

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
    const message = `Nothing in ${root.id} can be dropped: ${standing.id} is part of every plan and stays.`;
    return refused("standing", message, { next });
  }
  return refused("settled", `Nothing in ${root.id} can be dropped: all of it is finished.`, { next });
}

const endPatch =
  (kind: "dropped" | "waived") =>
  ({ by, at, op }: Settling, reason: string | null): Partial<NodeFields> => ({
    outcome: { kind, by, at, op, reason },
    claim: null,
    freeze: null,
  });

export const dropPatch = endPatch("dropped");
export const waivePatch = endPatch("waived");

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
  for (const node of deepestFirst(branch)) {
    if (node.outcome?.kind === "done" || node.archive || worked.has(node.nr)) worked.add(node.parent);
  }
  const isIdle = (node: Node): boolean => isContainer(node) && !worked.has(node.nr) && isUndecided(node);
  const unused = new Set<Nr | null>(
    branch.filter((node) => isStanding(node) && node.tasksLive === 0).map(({ nr }) => nr),
  );
  const waived = branch.filter((node) => (isOpenTask(node) && !unused.has(node.parent)) || isIdle(node));
  if (waived.length > 0 || withoutNewPlan(branch, waived).length > 0) return ok(waived);
  const standing = branch.filter(isStanding).map(({ id }) => id);
  const message = `Nothing in ${root.id} can be waived: ${standing.join(" and ")} stay open for later work.`;
  return refused("standing", message, { next });
}

const isUndecided = (node: Node): boolean => node.outcome === null && node.archive === null;

/** The root, and every container that stays but loses something. */
export function toPlanAgain(branch: Branch, dropped: readonly Node[]): Node[] {
  const [root] = branch;
  const going = new Set<Nr>(dropped.map(({ nr }) => nr));
  const losing = new Set<Nr | null>(dropped.map(({ parent }) => parent));
  return branch.filter(
    (node) => isContainer(node) && !going.has(node.nr) && (node.nr === root.nr || losing.has(node.nr)),
  );
}

/** What no longer waits for a new plan when the rest of a branch is given up; what is settled with it needs no word. */
export function withoutNewPlan(branch: Branch, settled: readonly Node[]): Node[] {
  const going = new Set<Nr>(settled.map(({ nr }) => nr));
  return branch.filter((node) => node.awaitsPlan !== null && !going.has(node.nr));
}

// How often a node may be planned again. Every replan counts; a person can grant more.

export type ReplanDefaults = Readonly<Record<"initiative" | "feature" | "story", number>>;

/** A node's own budget wins over the setting for its tier. Missions and tasks have none. */
export function replanBudget(node: Node, defaults: ReplanDefaults) {
  if (node.tier === "mission" || node.tier === "task") return undefined;
  return { used: node.replans, of: (node.budgets.replans ?? defaults[node.tier]) + node.replansGranted };
}

export function spendReplan(
  node: Node,
  defaults: ReplanDefaults,
): Result<NonNullable<ReturnType<typeof replanBudget>>> {
  const budget = replanBudget(node, defaults);
  if (!budget) {
    return refused(
      "no-budget",
      `${node.id} is ${withArticle(node.tier)}. Only initiatives, features and stories are replanned.`,
    );
  }
  if (isSettled(node)) {
    return refused("settled", `${node.id} is finished, so there is nothing to plan again.`, {
      next: [step("show", { reference: node.id })],
    });
  }
  const { used, of } = budget;
  if (used < of) return ok({ used: used + 1, of });
  return refused(
    "budget",
    `${node.id} was replanned ${used} of ${of} times: its budget is spent. A person can freeze it, then grant more when thawing it.`,
    { next: [step("freeze", { references: [node.id] }, "reason")], details: { used, of } },
  );
}
