// What an operation brings about besides its own changes, and undo takes back with them. The focus moves from a node that was settled,
// frozen, archived or deleted to the nearest open ancestor; a branch that was replanned no longer waits for a plan once work is added.

import type { PendingRow } from "../../model/derive/pending-rows.js";
import type { Node, Nr } from "../../model/node/node.js";
import { changeFocus, changeNode, type FocusChange, type NodeChange } from "../../model/operation/change.js";
import { mayFocus } from "../../model/operation/focus-key.js";
import { isFinished } from "../../model/status/rollup.js";
import { isUnconfirmed } from "../../model/status/stale-approval.js";
import { numberOrNull, textOf } from "../rows/values.js";
import type { WritableRows } from "./writable-rows.js";

const losesFocus = (node: Node, removed: boolean): boolean =>
  removed || node.outcome !== null || node.freeze !== null || node.archive !== null || isFinished(node);

export async function focusToMove(rows: WritableRows, already: ReadonlySet<string>): Promise<FocusChange[]> {
  const moved: FocusChange[] = [];
  // Not only changed rows: finishing its last task finishes a story.
  for (const { node, was, removed } of rows.all()) {
    if (was === null || !losesFocus(node, removed) || (losesFocus(was, false) && !removed)) continue;
    for (const row of await rows.db.all("select actor from focus where node = ?", node.nr)) {
      const actor = textOf(row["actor"]);
      if (!already.has(actor)) moved.push(...changeFocus(actor, node.nr, await openAbove(rows, actor, node.parent)));
    }
  }
  return moved;
}

/** The node that an undo puts in focus may be settled or deleted meanwhile, or the focus may have moved. */
export async function focusToRestore(rows: WritableRows, { key, after }: FocusChange): Promise<FocusChange[]> {
  const now = await rows.db.get("select node from focus where actor = ?", key);
  const row = after === null ? undefined : await rows.find(after.node);
  const isOpen = row !== undefined && !losesFocus(row.node, row.removed);
  const open = isOpen ? row.node.nr : await openAbove(rows, key, row?.node.parent ?? null);
  return changeFocus(key, numberOrNull(now?.["node"] ?? null), open);
}

async function openAbove(rows: WritableRows, key: string, from: Nr | null): Promise<Nr | null> {
  for (let at = from; at !== null; ) {
    const row = await rows.find(at);
    if (!row || !mayFocus(key, row.node.tier)) return null;
    if (!losesFocus(row.node, row.removed)) return at;
    at = row.node.parent;
  }
  return null;
}

/**
 * A branch that was replanned has its new plan once a person has approved new work in it. Work that was only added is no plan yet:
 * an agent can add it and drop it again, and what is left of the branch would land. The ancestors of the changed rows are loaded.
 */
export function plansThatCame(rows: WritableRows): NodeChange[] {
  const found = new Map<Nr, NodeChange>();
  const seen = new Set<Nr>();
  for (const row of rows.changed) {
    if (!isNewWork(row)) continue;
    for (let at = row.node.parent; at !== null && !seen.has(at); ) {
      seen.add(at);
      const above = rows.loaded(at)?.node;
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
