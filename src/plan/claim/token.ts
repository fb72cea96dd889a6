// A claim's token is shown once, to the worker that claimed the task. The plan holds only its hash, so reading the file is not enough
// to hand in for others. The conversation that claimed a task needs no token.

import { step } from "../../model/next-step.js";
import type { Claim, Node } from "../../model/node/node.js";
import { type Result, refused } from "../../model/result.js";
import { requireClaim } from "../../model/rules/claim.js";
import { sha256 } from "../../store/sha256.js";
import type { Writer } from "../../store/store.js";
import type { Context } from "../base/context.js";
import { isoTime } from "../node/view.js";
import { isOfOther, isOfSame } from "./session-notes.js";

/** The token is for the worker, its hash for the plan. */
export async function makeToken(writer: Writer): Promise<{ readonly token: string; readonly hash: string }> {
  const token = await writer.random(16);
  return { token, hash: sha256(token) };
}

/** What the plan holds about the token that was shown. The conversation in which the task was claimed needs to show none. */
export function shownToken(context: Context, node: Node, token: string | undefined): string | undefined {
  if (token !== undefined) return sha256(token);
  const { root, conversation, actor } = context;
  const { claim } = node;
  return claim?.by === actor && isOfSame(root, conversation, node) ? claim.token : undefined;
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
  return refused(
    "in-flight",
    `Another conversation of ${by} is working on ${id}. Take another task. ${id} is free again when that one hands it in or releases it, or at ${isoTime(until)}.`,
    { details: { id, reason: "in-flight", because: [by] }, next: [step("next"), step("why", { reference: id })] },
  );
}
