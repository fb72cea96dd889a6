// Lists who works on what, and until when.

import type { Claim, Node } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/context.js";
import { isoTime } from "../../plan/view.js";

export interface ClaimView {
  readonly id: string;
  readonly title: string;
  readonly by: string;
  readonly epoch: number;
  readonly at: string;
  readonly leaseUntil: string;
  /** The lease has ended, and no one has asked for work since. */
  readonly expired: boolean;
  /** It is yours. Start the task again if you lost the token. */
  readonly yours: boolean;
}

/** More claims than one plan has at a time. */
export const MOST_CLAIMS = 10_000;

/** Those that end first at the top. */
export function listClaims(context: Context): Promise<Result<ClaimView[]>> {
  return context.store.read(async (reader) => {
    const claimed = await reader.claimed({ limit: MOST_CLAIMS });
    return ok(claimed.flatMap(({ id, title, claim }) => (claim ? [toClaimView({ id, title }, claim, context)] : [])));
  });
}

const toClaimView = (
  task: Pick<Node, "id" | "title">,
  { by, epoch, at, until }: Claim,
  { actor, now }: Pick<Context, "actor" | "now">,
): ClaimView => ({
  ...task,
  by,
  epoch,
  at: isoTime(at),
  leaseUntil: isoTime(until),
  expired: until < now(),
  yours: by === actor,
});
