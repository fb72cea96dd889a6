// A branch that was replanned has its new plan once a person has approved new work in it. Work that was only added is no plan
// yet: an agent can add it and drop it again, and what is left of the branch would land.

import type { Nr } from "../../model/node/node.js";
import { changeNode, type NodeChange } from "../../model/operation/change.js";
import { isUnconfirmed } from "../../model/status/stale.js";
import type { PendingRow, PendingRows } from "./pending-rows.js";

/** The ancestors of the changed rows are loaded. */
export function plansThatCame(pendingRows: PendingRows, changed: readonly PendingRow[]): NodeChange[] {
  const found = new Map<Nr, NodeChange>();
  const seen = new Set<Nr>();
  for (const row of changed) {
    if (!isNewWork(row)) continue;
    for (let at = row.node.parent; at !== null && !seen.has(at); ) {
      seen.add(at);
      const above = pendingRows.loaded(at)?.node;
      if (!above) break;
      for (const change of changeNode(above, { awaitsPlan: null })) found.set(at, change);
      at = above.parent;
    }
  }
  return [...found.values()];
}

/**
 * An open task that this operation approves; `checkRows` made sure that a person does. A gate does no work, and is approved with
 * the command that makes it. An upgrade signs earlier approvals, which keep their time.
 */
function isNewWork({ node, was, patch: { approval }, removed }: PendingRow): boolean {
  if (!approval || isUnconfirmed({ approval }) || approval.at === was?.approval?.at) return false;
  return !removed && node.outcome === null && (node.kind === "work" || node.kind === "review");
}
