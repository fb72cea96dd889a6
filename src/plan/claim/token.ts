// A claim's token is shown once, to the worker that claimed the task. The plan holds only its hash, so reading the file is not enough
// to hand in for others. The conversation that claimed a task needs no token.

import { step } from "../../model/next-step.js";
import type { Claim, Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { requireClaim } from "../../model/rules/claim.js";
import { sha256 } from "../../store/sha256.js";
import type { Writer } from "../../store/store.js";
import { act, type Context } from "../base/context.js";
import { resolve } from "../base/resolve.js";
import { isoTime } from "../node/view.js";
import { type ClaimInput, type HeldInput, leaseMs } from "./lease.js";
import { isOfOther, isOfSame } from "./session-notes.js";

/** The token is for the worker, its hash for the plan. */
export async function makeToken(writer: Writer): Promise<{ readonly token: string; readonly hash: string }> {
  const token = await writer.random(16);
  return { token, hash: sha256(token) };
}

/** What the plan holds about the token that was shown. The conversation in which the task was claimed needs to show none. */
export function shownToken(context: Context, node: Node, token: string | undefined): string | undefined {
  if (token !== undefined) return sha256(token);
  const isOwn = node.claim?.by === context.actor && isOfSame(context.root, context.conversation, node);
  return isOwn ? node.claim?.token : undefined;
}

/** The claim that the asker holds: by its token, or as the conversation that claimed the task. */
export function requireHeld(context: Context, node: Node, token: string | undefined): Result<Claim> {
  if (token === undefined && isHeldElsewhere(context, node)) return heldElsewhere(node);
  return requireClaim(node, context.actor, shownToken(context, node, token));
}

/** Another conversation of the same actor has claimed it. */
export const isHeldElsewhere = ({ root, actor, conversation }: Context, node: Node): boolean =>
  node.claim?.by === actor && isOfOther(root, conversation, node);

export function heldElsewhere({ id, claim }: Node): Result<never> {
  const { by, until } = claim as Claim;
  const message = `Another conversation of ${by} is working on ${id}. Take another task. ${id} is free again when that one hands it in or releases it, or at ${isoTime(until)}.`;
  return refused("in-flight", message, {
    details: { id, reason: "in-flight", because: [by] },
    next: [step("next"), step("why", { reference: id })],
  });
}

/** The lease starts again. */
export const renewClaim = (context: Context, { token, ...input }: HeldInput) =>
  renew(context, input, (node) => requireHeld(context, node, token));

/** Renews this program's own claims, which it knows from the plan. */
export const renewHeld = (context: Context, input: ClaimInput, tokenHash: string) =>
  renew(context, input, (node) => requireClaim(node, context.actor, tokenHash));

async function renew(context: Context, input: ClaimInput, held: (node: Node) => Result<Claim>) {
  const committed = await act(context, "heartbeat", async (writer, at) => {
    const found = await resolve(writer, input.reference, context);
    if (!found.ok) return found;
    const node = found.value;
    const claim = held(node);
    if (!claim.ok) return claim;
    const until = at + leaseMs(context, input);
    const changes = changeNode(node, { claim: { ...claim.value, until }, retries: 0 });
    const value = { id: node.id, epoch: claim.value.epoch, leaseUntil: isoTime(until) };
    return ok({ sentence: `${context.actor} renewed the claim on ${node.id}`, changes, value });
  });
  return committed.ok ? ok(committed.value.value) : committed;
}
