// The text of a container that may reach workers: as a person wrote or approved it last. What an agent wrote since waits for a person.

import { isPerson } from "../../model/actor.js";
import type { Node } from "../../model/node/node.js";
import { isApproved } from "../../model/status/status.js";
import type { Reader } from "../../store/store.js";
import { hashOf } from "./approve.js";

const FIELDS = ["title", "body"] as const;

/** Null of what no person wrote or approved. */
type VouchedText = Readonly<Record<(typeof FIELDS)[number], string | null>>;

/** Older edits than these do not count, so less is vouched for. */
const MAX_EDITS = 1000;

export async function vouchedText(reader: Reader, node: Node): Promise<VouchedText> {
  if (await isWhole(reader, node)) return node;
  // Only what the log says: whoever can write to the plan's file can write what they like into its rows.
  const found: Record<(typeof FIELDS)[number], string | null> = { title: null, body: null };
  const vouched = new Set<string>();
  for (const { op, actor, verb } of await reader.operations({ node: node.nr, limit: MAX_EDITS })) {
    const change = await reader.nodeChange(op, node.nr);
    if (!change) continue;
    const { before, after } = change;
    // `plan apply` puts an agent's words into the plan without showing them.
    const isWritten = isPerson(actor) && verb !== "plan-apply";
    const isAll = isPerson(actor) && (after?.approval != null || (isWritten && before === null));
    for (const field of FIELDS) {
      if (isAll || (isWritten && after?.[field] !== undefined)) vouched.add(field);
      // What a node begins with and is empty is not in the log.
      if (vouched.has(field)) found[field] ??= after?.[field] ?? (before === null ? "" : null);
    }
    if (found.title !== null && found.body !== null) break;
  }
  return found;
}

/** Approved as it is, by somebody whom the plan knows. */
async function isWhole(reader: Reader, node: Node): Promise<boolean> {
  if (!isApproved(node) || (await reader.people.doubt(node)) !== null) return false;
  return node.hash === (await hashOf(reader, node));
}

/** Whether workers read another text than the plan has. */
export async function textWaits(reader: Reader, node: Node): Promise<boolean> {
  const { title, body } = await vouchedText(reader, node);
  return title !== node.title || body !== node.body;
}
