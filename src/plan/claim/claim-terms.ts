// What the verbs about one claim share: how it is named, how long it lasts, and why there is none.

import { type NextStep, step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { type Result, refused } from "../../model/result.js";
import { whyNotBegin } from "../../model/status/hold-phrase.js";
import type { Hold } from "../../model/status/holds.js";
import type { Context } from "../base/context.js";

interface ClaimInput {
  readonly reference: string;
  readonly leaseMinutes?: number;
}

export interface StartInput extends ClaimInput {
  /** Why a person claims it although work in progress touches the same files. */
  readonly despite?: string;
}

export interface HeldInput extends ClaimInput {
  readonly token?: string;
}

/** Whole, as all times are: the store would read a fraction back as another number. */
export const leaseMs = (context: Context, { leaseMinutes }: Pick<StartInput, "leaseMinutes"> = {}): number =>
  Math.max(1, Math.round((leaseMinutes ?? context.settings.leaseMinutes) * 60_000));

/** The first hold is the reason of the refusal; all of them are in the details. */
export function cannotBegin({ id }: Pick<Node, "id">, held: readonly [Hold, ...Hold[]]): Result<never> {
  const [first] = held;
  return refused(first.reason, whyNotBegin(id, first), {
    details: { id, reason: first.reason, because: first.because, holds: held },
    next: [step("why", { reference: id }), ...waysAround(id, first)],
  });
}

/** A person may claim what overlaps with work in progress, and says why. */
const waysAround = (id: string, { reason }: Hold): NextStep[] =>
  reason === "conflict" ? [step("start", { reference: id }, "despite")] : [];

export const isHeld = (held: readonly Hold[]): held is readonly [Hold, ...Hold[]] => held.length > 0;
