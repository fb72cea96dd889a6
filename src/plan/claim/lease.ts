// What the verbs about one claim share: how it is named, how long it lasts, and why there is none.

import { type NextStep, step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { expirePatch } from "../../model/rules/claim.js";
import { whyNotBegin } from "../../model/status/hold-phrase.js";
import type { Hold } from "../../model/status/holds.js";
import { act, type Context } from "../base/context.js";

/** The rest waits for the next look. */
export const EXPIRED_AT_ONCE = 100;

export async function expireLeases(context: Context): Promise<string[]> {
  const query = { expiredBy: context.now(), limit: EXPIRED_AT_ONCE };
  const waiting = await context.store.read((reader) => reader.claimed({ ...query, limit: 1 }));
  if (waiting.length === 0) return [];
  const committed = await act(context, "expire", async (writer, at) => {
    const expired = await writer.claimed(query);
    const { actor, settings } = context;
    const changes = expired.flatMap((node) => changeNode(node, expirePatch(node, at, settings.maxRetries, actor)));
    const ids = expired.map((node) => node.id);
    return ok({ sentence: `the lease ended on ${ids.join(", ")}`, changes, value: ids });
  });
  return committed.ok ? committed.value.value : [];
}

export interface ClaimInput {
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
export const leaseMs = (context: Context, { leaseMinutes }: Pick<ClaimInput, "leaseMinutes"> = {}): number =>
  Math.max(1, Math.round((leaseMinutes ?? context.settings.leaseMinutes) * 60_000));

/** The first hold is the reason of the refusal; all of them are in the details. */
export function cannotBegin({ id }: Pick<Node, "id">, held: readonly [Hold, ...Hold[]]): Result<never> {
  const [first] = held;
  const details = { id, reason: first.reason, because: first.because, holds: held };
  return refused(first.reason, whyNotBegin(id, first), { details, next: waysOn(id, first) });
}

const MISSES_APPROVAL: ReadonlySet<string> = new Set(["unapproved", "approval-stale", "approval-unknown"]);

/** An approval is all that is missing. A person may claim what overlaps with work in progress, and says why. */
function waysOn(id: string, { reason }: Hold): NextStep[] {
  const why = step("why", { reference: id });
  if (MISSES_APPROVAL.has(reason)) return [step("approve", { references: [id] }), why];
  return reason === "conflict" ? [why, step("next", { reference: id }, "despite")] : [why];
}

export const isHeld = (held: readonly Hold[]): held is readonly [Hold, ...Hold[]] => held.length > 0;
