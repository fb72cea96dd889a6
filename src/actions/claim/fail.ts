// A worker gives up, and says why.

import { parseWords } from "../../graph/node/content.js";
import { FAILURE_CLASSES, type FailureClass } from "../../graph/node/node.js";
import { ok, type Result } from "../../graph/result.js";
import { requireClaim } from "../../graph/rules/claim.js";
import { giveUp } from "../../graph/rules/task-outcome.js";
import type { Context } from "../context.js";
import { type Settled, settleOne } from "./settle-one.js";

export interface FailInput {
  readonly reference: string;
  readonly token?: string;
  readonly reason: string;
  readonly class?: string;
}

/** A worker that reports a failure is never refused for its choice of word. */
export const toFailureClass = (word: string | undefined): FailureClass =>
  FAILURE_CLASSES.find((known) => known === word) ?? "other";

export async function fail(context: Context, input: FailInput): Promise<Result<Settled>> {
  const reason = parseWords(input.reason, "reason");
  if (!reason.ok) return reason;
  return settleOne(context, "fail", input.reference, (node, settling) => {
    const claim = requireClaim(node, context.actor, input.token);
    if (!claim.ok) return claim;
    const failure = { class: toFailureClass(input.class), reason: reason.value };
    const sentence = `${context.actor} failed ${node.id}: ${reason.value}`;
    return ok({ patch: giveUp(claim.value, settling, failure), sentence });
  });
}
