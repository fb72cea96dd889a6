// How often a node may be planned anew. Every replan counts; a person can grant more.

import { isSettled } from "../node/branch.js";
import type { Node } from "../node/node.js";
import { ok, type Result, refused } from "../result.js";

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

/** The budget as it stands after one more. */
export function spendReplan(node: Node, defaults: ReplanDefaults): Result<ReplanBudget> {
  const budget = replanBudget(node, defaults);
  if (!budget) {
    return refused("no-budget", `A ${node.tier} such as ${node.id} is not replanned.`, {
      hint: "`planwright replan --help` says what is.",
    });
  }
  if (isSettled(node)) {
    return refused("settled", `${node.id} is settled, so there is nothing to plan anew.`, {
      hint: `\`planwright show ${node.id}\` says how it stands.`,
    });
  }
  const { used, of } = budget;
  if (used < of) return ok({ used: used + 1, of });
  return refused("budget", `${node.id} was replanned ${used} of ${of} times: its budget is spent.`, {
    hint: `\`planwright freeze ${node.id}\` stops it until a person has looked; \`planwright thaw --help\` says how a person grants more.`,
    details: { used, of },
  });
}
