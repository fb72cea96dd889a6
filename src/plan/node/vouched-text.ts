// The text of a container that may reach workers: as a person wrote or approved it last. What an agent wrote since waits for a person.

import { isPerson } from "../../model/actor.js";
import type { Node } from "../../model/node/node.js";
import { isApproved } from "../../model/status/status.js";
import type { Reader } from "../../store/store.js";

const FIELDS = ["title", "body"] as const;

/** Null of what no person wrote or approved. */
type VouchedText = Readonly<Record<(typeof FIELDS)[number], string | null>>;

/** Older edits than these do not count, so less is vouched for. */
const MAX_EDITS = 1000;

export async function vouchedText(reader: Reader, node: Node): Promise<VouchedText> {
  if (isApproved(node) && (await reader.people.doubt(node)) === null) return node;
  const then: Record<string, string> = { title: node.title, body: node.body };
  const found: Record<(typeof FIELDS)[number], string | null> = { title: null, body: null };
  for (const { op, actor, verb } of await reader.operations({ node: node.nr, limit: MAX_EDITS })) {
    const change = await reader.nodeChange(op, node.nr);
    if (!change) continue;
    const { before, after } = change;
    // `plan apply` puts an agent's words into the plan without showing them.
    const isWritten = isPerson(actor) && verb !== "plan-apply";
    const isWhole = isPerson(actor) && (after?.approval != null || (isWritten && before === null));
    for (const field of FIELDS) {
      if (isWhole || (isWritten && after?.[field] !== undefined)) found[field] ??= then[field] ?? null;
      then[field] = before?.[field] ?? then[field] ?? "";
    }
    if (found.title !== null && found.body !== null) break;
  }
  return found;
}

/** Whether workers read another text than the plan has. */
export async function textWaits(reader: Reader, node: Node): Promise<boolean> {
  const { title, body } = await vouchedText(reader, node);
  return title !== node.title || body !== node.body;
}
