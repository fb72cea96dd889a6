// Notes about a claim: the checkout in which it was made, of which `complete` takes only what changed since, and how often
// it was handed in with failing checks.

import type { ClaimedCheckout, ClaimNotes } from "../../graph/item/claim-notes.js";
import { changeItem, createItem } from "../../graph/item/item.js";
import type { Node, Nr } from "../../graph/node/node.js";
import type { Change } from "../../graph/operation/change.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../context.js";

/** Null without git. Git is loaded only where there is a repository. */
export async function claimedCheckout(context: Context): Promise<ClaimedCheckout | null> {
  if (context.head() === null) return null;
  const { checkoutAround, readCheckout } = await import("../../git/checkouts/checkout-changes.js");
  const path = checkoutAround(context.cwd, context.root);
  return path === null ? null : readCheckout(path);
}

const keyOf = (task: Nr): string => String(task);

export const claimNotes = async (reader: Reader, task: Nr): Promise<ClaimNotes | undefined> =>
  (await reader.item("claim", keyOf(task)))?.fields;

/** Written with the claim. Without git there is nothing to note until a check fails. */
export const noteCheckout = async (
  reader: Reader,
  node: Node,
  checkout: ClaimedCheckout | null,
): Promise<readonly Change[]> =>
  checkout === null ? [] : note(reader, node.nr, { epoch: node.epoch + 1, checkout, failed: 0 });

/** The claim gets a new epoch and stays the same piece of work. */
export async function moveNotes(reader: Reader, { nr, epoch }: Node): Promise<readonly Change[]> {
  const notes = await claimNotes(reader, nr);
  if (notes?.epoch !== epoch) return [];
  return note(reader, nr, { epoch: epoch + 1, checkout: notes.checkout, failed: notes.failed });
}

/** How often its checks have failed since it was claimed, this time included. */
export async function noteFailure(
  reader: Reader,
  { nr, epoch }: Node,
): Promise<{ readonly failed: number; readonly changes: readonly Change[] }> {
  const notes = await claimNotes(reader, nr);
  const failed = (notes?.epoch === epoch ? notes.failed : 0) + 1;
  return { failed, changes: await note(reader, nr, { epoch, failed, checkout: notes?.checkout ?? null }) };
}

async function note(
  reader: Reader,
  task: Nr,
  notes: Pick<ClaimNotes, "epoch" | "checkout" | "failed">,
): Promise<readonly Change[]> {
  const item = await reader.item("claim", keyOf(task));
  return item ? changeItem(item, notes) : [createItem("claim", keyOf(task), { state: "kept", task, ...notes })];
}
