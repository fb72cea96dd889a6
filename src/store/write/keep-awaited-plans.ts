// Work that is added below a branch that was replanned is its new plan: the branch no longer waits for one.

import type { Nr } from "../../model/node/node.js";
import { changeNode, type NodeChange } from "../../model/operation/change.js";
import { isFinished } from "../../model/status/rollup.js";
import type { PendingRow, PendingRows } from "./pending-rows.js";

/** The ancestors of the changed rows are loaded. */
export function plansThatCame(pendingRows: PendingRows, changed: readonly PendingRow[]): NodeChange[] {
  const found = new Map<Nr, NodeChange>();
  const seen = new Set<Nr>();
  for (const { node, was, patch, removed } of changed) {
    const isNew = was === null || ("parent" in patch && was.parent !== node.parent);
    if (!isNew || removed || node.kind === "land" || node.outcome?.kind === "dropped" || isFinished(node)) continue;
    for (let at = node.parent; at !== null && !seen.has(at); ) {
      seen.add(at);
      const above = pendingRows.loaded(at)?.node;
      if (!above) break;
      for (const change of changeNode(above, { awaitsPlan: null })) found.set(at, change);
      at = above.parent;
    }
  }
  return [...found.values()];
}
