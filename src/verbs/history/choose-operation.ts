// Which operation an undo or a redo is about. Without a number it is the asker's own latest one of which something is left to take back.

import type { Actor } from "../../model/actor.js";
import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import type { Change } from "../../model/operation/change.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import { claimedBy, isFirstHand, isStep, judgesWork, subjectOf } from "../../model/operation/undo.js";
import { absent, ok, type Result } from "../../model/result.js";
import type { FocusOwner } from "../../plan/base/focus.js";
import { resolve } from "../../plan/base/resolve.js";
import type { LogQuery, Reader } from "../../store/store.js";
import { everyChange, latestTurn, reverseTurn } from "./reversal.js";
import { hasResult, isOfEndedRun } from "./steps.js";

export interface ChosenOperation {
  readonly operation: LoggedOperation;
  /** Operations that came later, of which nothing is left to undo. */
  readonly skipped?: readonly Skipped[];
}

export type Skipped = Pick<LoggedOperation, "op" | "sentence"> & { readonly why: string };

export const MAX_OPERATIONS_READ = 20;

/** Operations that are looked through for one that can be taken back. */
const MAX_LOOKED_THROUGH = 200;

/** A person may undo everything, an agent only its own. */
const may = (actor: Actor): Pick<LogQuery, "actor"> => (isPerson(actor) ? {} : { actor });

/** What was done, newest first. */
export async function listStanding(reader: Reader, asker: FocusOwner, reference: string | undefined, at: number) {
  const { actor } = asker;
  const about = await nodeOf(reader, asker, reference);
  if (!about.ok) return about;
  const found: (LoggedOperation & { readonly refused: string | null })[] = [];
  const query: LogQuery = { state: "standing", limit: MAX_OPERATIONS_READ, ...may(actor), ...about.value };
  for (const operation of await reader.operations(query)) {
    if (!(await changedRows(reader, operation)) || (await isSpent(reader, operation))) continue;
    found.push({ ...operation, refused: await inTheWayOf(reader, operation, actor, at) });
  }
  return ok(found);
}

/** Why an undo would refuse it now; null if it would not. */
async function inTheWayOf(
  reader: Reader,
  operation: LoggedOperation,
  actor: Actor,
  at: number,
): Promise<string | null> {
  const turned = await reverseTurn(reader, await latestTurn(reader, operation), actor, at);
  if (!turned.ok) return String(turned.error.details?.["why"]);
  const isOthers = !isPerson(actor) && judgesWork(await reader.changes(operation.op));
  return isOthers ? "only a person takes back work that was handed in" : null;
}

async function nodeOf(reader: Reader, asker: FocusOwner, reference: string | undefined) {
  if (reference === undefined) return ok({});
  const node = await resolve(reader, reference, asker);
  return node.ok ? ok({ node: node.value.nr }) : node;
}

export const named = (
  reader: Reader,
  asker: FocusOwner,
  target: string | undefined,
): Promise<Result<ChosenOperation>> => {
  if (target === undefined) return latestOwn(reader, asker.actor);
  return /^\d{1,15}$/.test(target) ? numbered(reader, Number(target)) : latestOf(reader, asker, target);
};

/** The latest that touched a node. */
async function latestOf(reader: Reader, asker: FocusOwner, reference: string): Promise<Result<ChosenOperation>> {
  const about = await nodeOf(reader, asker, reference);
  if (!about.ok) return about;
  const query: LogQuery = { state: "standing", limit: MAX_OPERATIONS_READ, ...may(asker.actor), ...about.value };
  const skipped: Skipped[] = [];
  for (const operation of await reader.operations(query)) {
    if (!(await isSpent(reader, operation))) return ok({ operation, skipped });
    skipped.push(over(operation));
  }
  return absent("nothing-to-undo", `There is no operation that touched ${reference} to undo.`, { next: [step("log")] });
}

const over = ({ op, sentence }: LoggedOperation): Skipped => ({ op, sentence, why: "it has ended already" });

/** It is never something older: what cannot be taken back is refused, and the one before it is named. */
async function latestOwn(reader: Reader, actor: Actor): Promise<Result<ChosenOperation>> {
  const skipped: Skipped[] = [];
  for (const operation of await reader.operations({ state: "done", limit: MAX_LOOKED_THROUGH, actor })) {
    if (await changedNothing(reader, operation)) continue;
    if (isStep(operation)) {
      if ((await hasResult(reader, operation)) || (await isOfEndedRun(reader, operation))) continue;
      return ok({ operation, skipped });
    }
    if (!(await hasEndedClaim(reader, operation))) return ok({ operation, skipped });
    skipped.push(over(operation));
  }
  return absent("nothing-to-undo", "There is no operation of yours to undo.", {
    next: [step("log")],
    details: { skipped },
  });
}

/** The asker's latest operation before this one that an undo would take back. */
export async function undoableBefore(reader: Reader, actor: Actor, before: number, at: number) {
  const query: LogQuery = { state: "standing", limit: MAX_OPERATIONS_READ, actor, before };
  for (const operation of await reader.operations(query)) {
    if (!(await changedRows(reader, operation)) || (await isSpent(reader, operation))) continue;
    if ((await inTheWayOf(reader, operation, actor, at)) === null) return operation;
  }
  return null;
}

/** The step of a planning run that used an answer: a run goes on, not back. */
export async function usedBy(reader: Reader, { op, verb }: LoggedOperation): Promise<LoggedOperation | undefined> {
  if (verb !== "answer") return undefined;
  return (await reader.operations({ overlaps: op, after: op, limit: MAX_OPERATIONS_READ })).find(isStep);
}

/** A restored backup. Archived nodes that are shown again have the same verb, and changed rows. */
export const RESTORE = "restore";
export const PEOPLE = "people";

/** What changed only the file, or whom the plan knows, is in the log, but there is nothing to reverse. */
export const changedRows = async (reader: Reader, { op, verb }: LoggedOperation): Promise<boolean> =>
  verb !== PEOPLE && (await reader.changes(op, 1)).length > 0;

/** Nothing of it is left to undo: a run used the answer, or the claim ended with its attempt. */
const isSpent = async (reader: Reader, operation: LoggedOperation): Promise<boolean> =>
  (await usedBy(reader, operation)) !== undefined ||
  (await changedNothing(reader, operation)) ||
  (await hasEndedClaim(reader, operation));

/** A restored backup and a change of whom the plan knows changed no rows either, but a lot. */
const changedNothing = async (reader: Reader, { op, verb }: LoggedOperation): Promise<boolean> =>
  verb !== RESTORE && verb !== PEOPLE && (await reader.changes(op, 1)).length === 0;

async function hasEndedClaim(reader: Reader, { op }: LoggedOperation): Promise<boolean> {
  // A large operation is no claim, and tells so with its first rows.
  if (!(await everyChange(reader, op, mayBeClaim))) return false;
  const claimed = claimedBy(await reader.changes(op));
  if (claimed.length === 0) return false;
  for (const nr of claimed) if ((await reader.node(nr))?.claim) return false;
  return (await reader.operations({ overlaps: op, after: op, limit: MAX_OPERATIONS_READ })).some(isStep);
}

const mayBeClaim = (change: Change): boolean => change.entity !== "node" || claimedBy([change]).length > 0;

const ofClaim = ({ op, sentence }: LoggedOperation): Skipped => ({
  op,
  sentence,
  why: "a claim that was undone does not come back",
});

/** Undone claims are over, with their tokens. */
export async function lastUndone(reader: Reader, actor: Actor): Promise<Result<ChosenOperation>> {
  const claims: LoggedOperation[] = [];
  for (const operation of await reader.operations({ state: "undone", limit: MAX_LOOKED_THROUGH, actor })) {
    const { op, sentence } = operation;
    const { op: since } = await latestTurn(reader, operation);
    const [newer] = await reader.operations({ state: "standing", after: since, limit: 1, actor });
    if (newer) {
      return absent("nothing-to-redo", `Other things were done since operation ${op} was undone: ${sentence}`, {
        next: [step("redo", { operation: op }), step("log")],
        details: { op, since: newer.op },
      });
    }
    if (await everyChange(reader, op, (change) => claimedBy([change]).length === 0))
      return ok({ operation, skipped: claims.map(ofClaim) });
    claims.push(operation);
  }
  const [claim] = claims;
  return claim
    ? ok({ operation: claim })
    : absent("nothing-to-redo", "There is nothing to redo.", { next: [step("log")] });
}

/** The number of an undo or a redo stands for the operation that it is about. */
export async function numbered(reader: Reader, op: number): Promise<Result<ChosenOperation>> {
  const known = await reader.operation(op);
  const operation = known && (isFirstHand(known) ? known : await reader.operation(subjectOf(known)));
  return operation ? ok({ operation }) : noOperation(op);
}

export const noOperation = (op: number): Result<never> =>
  absent("not-found", `There is no operation ${op} in the log.`, { next: [step("log")] });
