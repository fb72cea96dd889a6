// Gives a claim back.

import { isPerson } from "../../model/actor.js";
import { changeNode } from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import type { HeldInput } from "../../plan/claim/claim-terms.js";
import { requireHeld } from "../../plan/claim/token.js";
import { act, type Context } from "../../plan/context.js";
import { resolve } from "../../plan/resolve.js";

export interface Released {
  readonly id: string;
  readonly op: number | null;
}

/** Not counted as a failure. */
export async function releaseClaim(context: Context, input: HeldInput): Promise<Result<Released>> {
  const committed = await act(context, "release", async (writer) => {
    const found = await resolve(writer, input.reference, context.actor);
    if (!found.ok) return found;
    const { claim: held } = found.value;
    // A person may take any claim away.
    const isTaken = held !== null && isPerson(context.actor) && input.token === undefined;
    const claim = isTaken ? ok(held) : requireHeld(context, found.value, input.token);
    if (!claim.ok) return claim;
    const changes = changeNode(found.value, { claim: null, retries: 0 });
    const { by } = claim.value;
    const whose = by === context.actor ? "" : `, which ${by} had claimed`;
    return ok({ sentence: `${context.actor} released ${found.value.id}${whose}`, changes, value: found.value.id });
  });
  return committed.ok ? ok({ id: committed.value.value, op: committed.value.op }) : committed;
}
