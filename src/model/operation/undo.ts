// Taking an operation back, and doing it again. Both turn round the operation's latest turn (its doing,
// or its undoing), row by row, so both are exact; and both are refused when something else has happened
// to the same nodes since, because then there is no exact way back. Claims are the exception: a token
// that was refused once stays refused, so no turn counts the claims of a task down or wakes up a lost one.

import { ATTEMPT_STATES, hasEnded } from "../attempt/attempt.js";
import type { Claim, Node, NodeFields, Nr } from "../node/node.js";
import { type Change, changeNode, invert, type NodeChange, removeNode } from "./change.js";
import type { LoggedOperation } from "./operation.js";

/** The operation that an undo or a redo is about; every other is about itself. */
export const subjectOf = ({ op, undoes, redoes }: LoggedOperation): number => undoes ?? redoes ?? op;

export const isFirstHand = (operation: LoggedOperation): boolean => subjectOf(operation) === operation.op;

/** Verbs that only keep or end a lease, tell news or tell other clones: time does that, and nobody takes time back. */
export const UPKEEP = ["heartbeat", "expire", "inbox", "share"] as const;

/** What a planning run or an attempt does on its way, its start included: a person takes back its result, or ends it. */
export const STEPS = ["plan", "plan-changes", "plan-step", "attempt"] as const;

export const isStep = ({ verb }: Pick<LoggedOperation, "verb">): boolean => STEPS.some((step) => step === verb);

/** It is only undone together with what caused it. */
export const isTurnable = (operation: Pick<LoggedOperation, "verb">): boolean =>
  !isUpkeep(operation) && !isStep(operation);

export const isUpkeep = ({ verb }: Pick<LoggedOperation, "verb">): boolean => UPKEEP.some((upkeep) => upkeep === verb);

/** The tasks that an operation claimed. */
export const claimedBy = (changes: readonly Change[]): Nr[] =>
  changes.flatMap((change) => (change.entity === "node" && change.before && change.after?.epoch ? [change.key] : []));

const OF_A_CLAIM: ReadonlySet<string> = new Set([
  "claim",
  "epoch",
  "attempts",
  "retries",
] satisfies (keyof NodeFields)[]);

/** It gave a task to a worker or took it away, and nothing else. */
export const onlyClaims = ({ entity, before, after }: Change): boolean =>
  entity === "focus" ||
  entity === "claim" ||
  (entity === "node" &&
    before !== null &&
    after !== null &&
    Object.keys(after).every((field) => OF_A_CLAIM.has(field)));

/** It approved something or took an approval back, and nothing else. */
export const onlyApproves = ({ entity, before, after }: Change): boolean =>
  entity === "node" && before !== null && after !== null && Object.keys(after).every((field) => field === "approval");

/** A task that loses its approval, is frozen or ends leaves its worker. */
export const endingClaim = (change: NodeChange): NodeChange => {
  const { before, after } = change;
  if (before === null || after === null) return change;
  const withdraws = after.approval === null || !!after.freeze || !!after.outcome || !!after.archive;
  return withdraws ? { ...change, after: { ...after, claim: null } } : change;
};

/** Work was handed in or given up by it. */
export const judgesWork = (changes: readonly Change[]): boolean =>
  changes.some((change) => change.entity === "node" && change.before !== null && !!change.after?.acceptance);

/**
 * Of all turns since a moment, the operations whose effect came or went: done and taken back (or the
 * other way round) since then is as if nothing had happened, so an odd number of turns is what counts.
 * Upkeep never blocks an undo.
 */
export function netEffects(turns: readonly LoggedOperation[]): number[] {
  const odd = new Set<number>();
  for (const turn of turns) {
    if (isUpkeep(turn)) continue;
    const subject = subjectOf(turn);
    if (!odd.delete(subject)) odd.add(subject);
  }
  return [...odd].sort((a, b) => a - b);
}

export type Reversal = ReturnType<typeof reverse>;

/** An operation reversed, and what the rest of the plan must still hold for that. */
export function reverse(turn: readonly Change[]) {
  const changes = invert(turn);
  /** Rows that disappear: nothing that stays may refer to them. */
  const removed = new Set<Nr>();
  /** Rows that come back as they were. */
  const restored = new Map<Nr, Partial<NodeFields>>();
  /** Rows that something put back refers to, and that must be there. */
  const needed = new Set<Nr>();
  for (const change of changes) {
    if (change.entity !== "node") continue;
    if (change.after === null) removed.add(change.key);
    else if (change.before === null) restored.set(change.key, change.after);
    for (const nr of references(change)) needed.add(nr);
  }
  for (const nr of restored.keys()) needed.delete(nr);
  return { changes, removed, restored, needed };
}

function references({ after }: NodeChange): Nr[] {
  const parent = after?.parent ?? null;
  return [...(parent === null ? [] : [parent]), ...(after?.dependsOn ?? []).map((edge) => edge.on)];
}

/** A change that goes back in time, as one of the row as it is now. */
export function rebase(now: Node | undefined, change: NodeChange, at: number): NodeChange[] {
  if (!now || change.before === null) return [change];
  if (change.after === null) return [removeNode(now)];
  const { claim, epoch } = change.after;
  return changeNode(now, {
    ...change.after,
    ...(epoch === undefined ? {} : { epoch: Math.max(epoch, now.epoch) }),
    ...(claim && !isAlive(claim, now, at) ? { claim: null } : {}),
  });
}

/** An attempt that has ended goes on no more: what it did to its task is taken back, but neither it nor its claim. */
export const reopensAttempt = (change: Change): boolean =>
  change.entity === "attempt" && isEnd(change.before?.["state"]) && isOpen(change.after?.["state"]);

const isEnd = (state: unknown): boolean => ATTEMPT_STATES.some((each) => each === state && hasEnded(each));

const isOpen = (state: unknown): boolean => ATTEMPT_STATES.some((each) => each === state && !hasEnded(each));

export const withoutClaim = (change: NodeChange): NodeChange =>
  change.after?.claim ? { ...change, after: { ...change.after, claim: null } } : change;

/** The same change, without counting attempts down: otherwise a worker could claim and take it back without end. */
export function withoutAttempts(change: NodeChange): NodeChange {
  if (change.before === null || change.after?.attempts === undefined) return change;
  const { attempts: _, ...after } = change.after;
  return { ...change, after };
}

/** The task was not claimed again since, and the lease has not ended. */
const isAlive = (claim: Claim, { epoch }: Node, at: number): boolean => claim.epoch === epoch && claim.until >= at;

/** What a change does to a land task that stays: a feature has exactly one open one while there is work in it. */
export function landTurn(now: Node | undefined, { before, after }: NodeChange): "opens" | "closes" | undefined {
  if (now?.kind !== "land" || before === null || after?.outcome === undefined) return undefined;
  if ((now.outcome === null) === (after.outcome === null)) return undefined;
  return after.outcome === null ? "opens" : "closes";
}
