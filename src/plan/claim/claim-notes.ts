// Notes about a claim: the checkout in which it was made, of which `complete` takes only what changed since, and how often
// it was handed in with failing checks.

import type { ClaimedCheckout, ClaimNotes, ClaimSpending } from "../../model/item/claim-notes.js";
import { changeItem, createItem } from "../../model/item/item.js";
import type { Node, Nr } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../base/context.js";

/** Null without git. Git is loaded only where there is a repository. */
export async function claimedCheckout(context: Context): Promise<ClaimedCheckout | null> {
  if (context.head() === null) return null;
  const { checkoutAround, readCheckout } = await import("../../machine/git/checkouts/checkout-changes.js");
  const { sizeOfHeadLog } = await import("../../machine/git/checkouts/commits-since.js");
  const path = checkoutAround(context.cwd, context.root);
  const found = path === null ? null : await readCheckout(path);
  return found === null ? null : { ...found, log: sizeOfHeadLog(found.path) };
}

const keyOf = (task: Nr): string => String(task);

export const claimNotes = async (reader: Reader, task: Nr): Promise<ClaimNotes | undefined> =>
  (await reader.item("claim", keyOf(task)))?.fields;

/** Written with the claim. Without git there is nothing to note until a check fails. */
export const noteCheckout = async (reader: Reader, node: Node, checkout: ClaimedCheckout | null) =>
  checkout === null ? [] : note(reader, node.nr, { epoch: node.epoch + 1, checkout, failed: 0 });

/** The claim gets a new epoch and stays the same piece of work. */
export async function moveNotes(reader: Reader, { nr, epoch }: Node): Promise<readonly Change[]> {
  const notes = await claimNotes(reader, nr);
  if (notes?.epoch !== epoch) return [];
  return note(reader, nr, { epoch: epoch + 1, checkout: notes.checkout, failed: notes.failed });
}

/** What a worker says it used for its claim. */
export type Spending = Omit<ClaimSpending, "epoch">;

/** How often its checks have failed since it was claimed, this time included. Notes what the worker says it used, too. */
export async function noteFailure(reader: Reader, { nr, epoch }: Node, said?: Spending) {
  const notes = await claimNotes(reader, nr);
  const failed = (notes?.epoch === epoch ? notes.failed : 0) + 1;
  const checkout = notes?.checkout ?? null;
  return { failed, changes: await note(reader, nr, { epoch, failed, checkout, ...spentWith(notes, epoch, said) }) };
}

export async function noteSpending(reader: Reader, { nr, epoch }: Node, said: Spending): Promise<readonly Change[]> {
  const notes = await claimNotes(reader, nr);
  const { failed, checkout } = notes?.epoch === epoch ? notes : { failed: 0, checkout: null };
  return note(reader, nr, { epoch, failed, checkout, ...spentWith(notes, epoch, said) });
}

/** A worker says what it used for its claim in all, so a later number replaces an earlier one. */
function spentWith(notes: ClaimNotes | undefined, epoch: number, said: Spending | undefined) {
  if (said === undefined) return {};
  const others = (notes?.spent ?? []).filter((each) => each.epoch !== epoch);
  return { spent: [...others, { epoch, ...said }] };
}

async function note(reader: Reader, task: Nr, notes: Omit<ClaimNotes, "state" | "task">): Promise<readonly Change[]> {
  const item = await reader.item("claim", keyOf(task));
  return item ? changeItem(item, notes) : [createItem("claim", keyOf(task), { state: "kept", task, ...notes })];
}
