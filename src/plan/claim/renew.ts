// Keeps a claim alive.

import type { Claim, Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import { requireClaim } from "../../model/rules/claim.js";
import { act, type Context } from "../base/context.js";
import { resolve } from "../base/resolve.js";
import { isoTime } from "../node/view.js";
import { type ClaimInput, type HeldInput, leaseMs } from "./lease.js";
import { requireHeld } from "./token.js";

/** The lease starts again. */
export const renewClaim = (context: Context, { token, ...input }: HeldInput) =>
  renew(context, input, (node) => requireHeld(context, node, token));

/** For this program's own claims, which it knows from the plan. */
export const renewHeld = (context: Context, input: ClaimInput, tokenHash: string) =>
  renew(context, input, (node) => requireClaim(node, context.actor, tokenHash));

async function renew(context: Context, input: ClaimInput, held: (node: Node) => Result<Claim>) {
  const committed = await act(context, "heartbeat", async (writer, at) => {
    const found = await resolve(writer, input.reference, context.actor);
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
