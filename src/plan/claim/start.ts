// Claims a task by its name.

import type { Actor } from "../../model/actor.js";
import type { Attempt } from "../../model/attempt/attempt.js";
import { changeItem, type Item, LIVE } from "../../model/item/item.js";
import type { Claim, Node } from "../../model/node/node.js";
import { changeFocus, changeNode } from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import { claimPatch, retakePatch } from "../../model/rules/claim.js";
import { holds } from "../../model/status/holds.js";
import type { Surroundings } from "../../model/status/status.js";
import type { Decision, Reader, Writer } from "../../store/store.js";
import { act, type Context } from "../base/context.js";
import { focusKey } from "../base/focus.js";
import { resolve } from "../base/resolve.js";
import { gatherSurroundings } from "../base/surroundings.js";
import { requireIntact } from "../node/require-intact.js";
import { requirePerson } from "../node/require-person.js";
import { type Assignment, type Drafted, draftAssignment, toAssignment } from "./assignment.js";
import { claimedCheckout, moveNotes, noteCheckout } from "./claim-notes.js";
import { cannotBegin, expireLeases, isHeld, leaseMs, type StartInput } from "./lease.js";
import { heldElsewhere, isHeldElsewhere, makeToken } from "./token.js";

export async function start(context: Context, input: StartInput): Promise<Result<Assignment>> {
  const despite = mayOverride(context, input.despite);
  if (!despite.ok) return despite;
  await expireLeases(context);
  const checkout = await claimedCheckout(context);
  const committed = await act<Drafted>(context, "start", async (writer, at) => {
    const found = await resolve(writer, input.reference, context);
    if (!found.ok) return found;
    const node = found.value;
    const around = await gatherSurroundings(writer, node);
    const held = holds(node, { around: despite.value === null ? around : withoutOverlaps(around) }, "self");
    const lease = leaseMs(context, input);
    if (isHeldElsewhere(context, node)) return heldElsewhere(node);
    if (await mayTakeAgain(writer, node, context.actor)) return takeAgain(writer, node, at, lease);
    if (isHeld(held)) return cannotBegin(node, held);
    const intact = await requireIntact(writer, [node]);
    if (!intact.ok) return intact;
    const { token, hash } = await makeToken(writer);
    const patch = claimPatch(node, { by: context.actor, token: hash, at, leaseMs: lease });
    const focus = changeFocus(focusKey(context), await writer.focus(focusKey(context)), node.nr);
    const changes = [...changeNode(node, patch), ...focus, ...(await noteCheckout(writer, node, checkout))];
    const sentence = `${context.actor} claimed ${node.id}${despiteWords(around, despite.value)}`;
    const value = await draftAssignment(writer, { ...node, ...patch }, { token, until: at + lease }, []);
    return ok({ sentence, changes, value });
  });
  return committed.ok ? ok(await toAssignment(context, committed.value.value, checkout)) : committed;
}

/** A worker that lost its token gets its own claim back. What an attempt works on belongs to that attempt. */
async function mayTakeAgain(reader: Reader, node: Node, actor: Actor): Promise<boolean> {
  if (node.claim === null || node.claim.by !== actor) return false;
  return (await attemptsWith(reader, node)).every(({ fields }) => isResting(fields));
}

async function attemptsWith(reader: Reader, { nr, claim }: Node): Promise<Item<"attempt">[]> {
  const live = await reader.items("attempt", { owner: String(nr), state: LIVE });
  return live.filter(({ fields }) => fields.token === claim?.token);
}

/** A hand-in that failed: it goes on when its worker hands in again, and until then nothing of it runs. */
const isResting = ({ checkout, state, slot }: Attempt): boolean =>
  checkout !== undefined && state === "working" && slot === null;

/** A new token and a new epoch: the old token can change nothing any more. */
async function takeAgain(writer: Writer, node: Node, at: number, lease: number): Promise<Result<Decision<Drafted>>> {
  const { token, hash } = await makeToken(writer);
  const patch = retakePatch(node, { token: hash, at, leaseMs: lease });
  const notes = await moveNotes(writer, node);
  const held = { token: hash, epoch: patch.epoch ?? node.epoch };
  const resting = (await attemptsWith(writer, node)).flatMap((item) => changeItem(item, held));
  const value = await draftAssignment(writer, { ...node, ...patch }, { token, until: at + lease }, []);
  const sentence = `${(node.claim as Claim).by} took its claim of ${node.id} again`;
  return ok({ sentence, changes: [...changeNode(node, patch), ...notes, ...resting], value });
}

/** Only a person may let two overlapping tasks run together, and says why. */
export function mayOverride(context: Context, reason: string | undefined): Result<string | null> {
  if (reason === undefined) return ok(null);
  const may = requirePerson(context.actor, "claim a task that overlaps with work in progress");
  return may.ok ? ok(reason) : may;
}

export const withoutOverlaps = (around: Surroundings): Surroundings => ({ ...around, overlaps: [] });

/** What the log says of an override: nothing if there was no overlap. */
export function despiteWords({ overlaps }: Pick<Surroundings, "overlaps">, reason: string | null): string {
  const ids = overlaps.map(({ id }) => id).join(", ");
  return reason === null || ids === "" ? "" : `, which overlaps with ${ids}: ${reason}`;
}
