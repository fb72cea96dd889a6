// What the verbs about one claim share: how it is named, how long it lasts, and why there is none.

import type { Node } from "../../graph/node/node.js";
import { type Result, refused } from "../../graph/result.js";
import type { DerivedStatus } from "../../graph/status/status.js";
import type { Context } from "../context.js";

export interface StartInput {
  readonly reference: string;
  readonly leaseMinutes?: number;
}

export interface HeldInput extends StartInput {
  readonly token?: string;
}

/** Whole, as all times are: the store would read a fraction back as another number. */
export const leaseMs = (context: Context, { leaseMinutes }: Pick<StartInput, "leaseMinutes"> = {}): number =>
  Math.max(1, Math.round((leaseMinutes ?? context.settings.leaseMinutes) * 60_000));

/** The reason of its status is the reason of the refusal. */
export function notClaimable(node: Node, { status, reason, because }: DerivedStatus): Result<never> {
  const detail = because.length > 0 ? `${reason}: ${because.join(", ")}` : reason;
  return refused(reason, `${node.id} cannot be claimed: it is ${status.replace("_", " ")} (${detail}).`, {
    hint: `\`planwright why ${node.id}\` says what it waits for.`,
    details: { id: node.id, status, reason, because },
  });
}
