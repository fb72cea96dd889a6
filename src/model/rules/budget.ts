// How often a node may be planned again. Every replan counts; a person can grant more.

import { step } from "../next-step.js";
import type { Node } from "../node/node.js";
import { ok, type Result, refused } from "../result.js";
import { isSettled } from "../status/rollup.js";

export type ReplanDefaults = Readonly<Record<"initiative" | "feature" | "story", number>>;

export interface ReplanBudget {
  readonly used: number;
  readonly of: number;
}

/** A node's own budget wins over the setting for its tier. Missions and tasks have none. */
export function replanBudget(node: Node, defaults: ReplanDefaults): ReplanBudget | undefined {
  if (node.tier === "mission" || node.tier === "task") return undefined;
  return { used: node.replans, of: (node.budgets.replans ?? defaults[node.tier]) + node.replansGranted };
}

/** The budget after one more use. */
export function spendReplan(node: Node, defaults: ReplanDefaults): Result<ReplanBudget> {
  const budget = replanBudget(node, defaults);
  if (!budget) {
    return refused("no-budget", `${node.id} is a ${node.tier}. Only initiatives, features and stories are replanned.`);
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
    {
      next: [step("freeze", { references: [node.id] }, "reason")],
      details: { used, of },
    },
  );
}
