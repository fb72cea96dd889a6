// Lists who works on what, and until when.

import type { Claim, Node } from "../../graph/node/node.js";
import { ok, type Result } from "../../graph/result.js";
import type { Context } from "../context.js";
import { isoTime } from "../view.js";

export interface ClaimView {
  readonly id: string;
  readonly title: string;
  readonly by: string;
  readonly epoch: number;
  readonly at: string;
  readonly leaseUntil: string;
  /** The lease has ended, and nobody has asked for work since. */
  readonly expired: boolean;
}

/** More claims than one plan has at a time. */
export const MOST_CLAIMS = 10_000;

/** Those that end first at the top. */
export function listClaims(context: Context): Promise<Result<ClaimView[]>> {
  const now = context.now();
  return context.store.read(async (reader) => {
    const claimed = await reader.claimed({ limit: MOST_CLAIMS });
    return ok(claimed.flatMap(({ id, title, claim }) => (claim ? [toClaimView({ id, title }, claim, now)] : [])));
  });
}

const toClaimView = (task: Pick<Node, "id" | "title">, { by, epoch, at, until }: Claim, now: number): ClaimView => ({
  ...task,
  by,
  epoch,
  at: isoTime(at),
  leaseUntil: isoTime(until),
  expired: until < now,
});
