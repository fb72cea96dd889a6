// Nobody's focus stays on a node that is settled, frozen, archived or gone: it moves to the nearest
// node above that is still open. Part of the same operation, so undo brings it back.

import type { Node, Nr } from "../graph/node/node.js";
import { changeFocus, type FocusChange } from "../graph/operation/change.js";
import { isFinished } from "../graph/status/rollup.js";
import type { Sheet } from "./sheet.js";

const leaves = (node: Node, gone: boolean): boolean =>
  gone || node.outcome !== null || node.freeze !== null || node.archive !== null || isFinished(node);

export async function movedFocus(sheet: Sheet, already: ReadonlySet<string>): Promise<FocusChange[]> {
  const moved: FocusChange[] = [];
  // Not only what changed itself: the last of its tasks may have finished a story.
  for (const { node, was, gone } of sheet.drafts()) {
    if (was === null || !leaves(node, gone) || (leaves(was, false) && !gone)) continue;
    for (const row of await sheet.db.all("select actor from focus where node = ?", node.nr)) {
      const actor = row["actor"] as string;
      if (!already.has(actor)) moved.push(...changeFocus(actor, node.nr, await openAbove(sheet, node.parent)));
    }
  }
  return moved;
}

/** What an undo puts back in focus may have been settled or taken away meanwhile, and the focus be elsewhere. */
export async function openFocus(sheet: Sheet, { key, after }: FocusChange): Promise<FocusChange[]> {
  const now = await sheet.db.get("select node from focus where actor = ?", key);
  const draft = after === null ? undefined : await sheet.find(after.node);
  const isOpen = draft !== undefined && !leaves(draft.node, draft.gone);
  const open = isOpen ? draft.node.nr : await openAbove(sheet, draft?.node.parent ?? null);
  return changeFocus(key, (now?.["node"] as Nr | undefined) ?? null, open);
}

async function openAbove(sheet: Sheet, from: Nr | null): Promise<Nr | null> {
  for (let at = from; at !== null; ) {
    const draft = await sheet.find(at);
    if (!draft) return null;
    if (!leaves(draft.node, draft.gone)) return at;
    at = draft.node.parent;
  }
  return null;
}
