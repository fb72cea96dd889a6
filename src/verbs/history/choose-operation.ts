// Which operation an undo or a redo is about. Without a number it is the asker's own latest one of which something is left to take back.

import type { Actor } from "../../model/actor.js";
import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import type { Change } from "../../model/operation/change.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import { claimedBy, isFirstHand, isStep, onlyClaims, STEPS, subjectOf } from "../../model/operation/undo.js";
import { absent, ok, type Result } from "../../model/result.js";
import type { Asker } from "../../plan/base/focus.js";
import { resolve } from "../../plan/base/resolve.js";
import type { LogQuery, Reader } from "../../store/store.js";
import { everyChange, latestTurn, reverseTurn } from "./reversal.js";

export interface ChosenOperation {
  readonly operation: LoggedOperation;
  /** Operations that came later: of these nothing is left to undo, or attempts and runs have built on them. */
  readonly skipped?: readonly Skipped[];
}

export type Skipped = Pick<LoggedOperation, "op" | "sentence"> & { readonly why: string };

export const MAX_OPERATIONS_READ = 20;

/** Operations that are looked through for one that can be taken back. */
const MAX_LOOKED_THROUGH = 200;

/** A person may undo everything, an agent only its own. */
const may = (actor: Actor): Pick<LogQuery, "actor"> => (isPerson(actor) ? {} : { actor });

/** What could be undone, newest first. */
export async function listStanding(reader: Reader, asker: Asker, reference: string | undefined, at: number) {
  const { actor } = asker;
  const about = await nodeOf(reader, asker, reference);
  if (!about.ok) return about;
  const found: LoggedOperation[] = [];
  const query: LogQuery = { state: "standing", limit: MAX_OPERATIONS_READ, ...may(actor), ...about.value };
  for (const operation of await reader.operations(query)) {
    if (!(await changedRows(reader, operation)) || (await isSpent(reader, operation))) continue;
    if ((await builtOn(reader, operation, actor, at)) === null) found.push(operation);
  }
  return ok(found);
}

async function nodeOf(reader: Reader, asker: Asker, reference: string | undefined) {
  if (reference === undefined) return ok({});
  const node = await resolve(reader, reference, asker);
  return node.ok ? ok({ node: node.value.nr }) : node;
}

export const named = (
  reader: Reader,
  asker: Asker,
  target: string | undefined,
  at: number,
): Promise<Result<ChosenOperation>> => {
  if (target === undefined) return latestOwn(reader, asker.actor, at);
  return /^\d{1,15}$/.test(target) ? numbered(reader, Number(target)) : latestOf(reader, asker, target);
};

/** The latest that touched a node. */
async function latestOf(reader: Reader, asker: Asker, reference: string): Promise<Result<ChosenOperation>> {
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

const STAYS = "whom this plan knows stays in force";

/** Whatever attempts and planning runs have built on stays in the way for ever, so it is passed over. */
async function latestOwn(reader: Reader, actor: Actor, at: number): Promise<Result<ChosenOperation>> {
  const skipped: Skipped[] = [];
  const query: LogQuery = { state: "standing", limit: MAX_LOOKED_THROUGH, actor };
  for (const operation of await reader.operations(query)) {
    if (await isSpent(reader, operation)) {
      skipped.push(over(operation));
      continue;
    }
    const why = operation.verb === PEOPLE ? STAYS : await builtOn(reader, operation, actor, at);
    if (why === null) return ok({ operation, skipped });
    skipped.push({ op: operation.op, sentence: operation.sentence, why });
  }
  const first = skipped.find(({ why }) => !why.startsWith("it "));
  const because = first ? ` The latest was operation ${first.op} (${first.sentence}): ${first.why}.` : "";
  return absent("nothing-to-undo", `There is no operation of yours to undo.${because}`, {
    next: [...(first ? [step("undo", { operation: String(first.op), preview: true })] : []), step("log")],
    details: { skipped },
  });
}

/** Why it can never be undone as a whole; null if it can, or could once others are undone. */
async function builtOn(reader: Reader, operation: LoggedOperation, actor: Actor, at: number): Promise<string | null> {
  const turn = await latestTurn(reader, operation);
  const steps: LogQuery = { after: turn.op, verbs: STEPS, limit: 1 };
  const [step] = await reader.operations(steps);
  if (step === undefined) return null;
  const [same] = await reader.operations({ ...steps, overlaps: turn.op });
  const lasting =
    same && !(await everyChange(reader, same.op, onlyClaims)) ? same.op : await lastingAfter(reader, turn, actor, at);
  return typeof lasting === "number" ? `operation ${lasting} has built on it since` : null;
}

async function lastingAfter(reader: Reader, turn: LoggedOperation, actor: Actor, at: number): Promise<unknown> {
  const turned = await reverseTurn(reader, turn, actor, at);
  return turned.ok ? undefined : turned.error.details?.["lasting"];
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
async function isSpent(reader: Reader, operation: LoggedOperation): Promise<boolean> {
  if (await usedBy(reader, operation)) return true;
  if ((await reader.changes(operation.op, 1)).length === 0) return operation.verb !== RESTORE;
  // A large operation is no claim, and tells so with its first rows.
  if (!(await everyChange(reader, operation.op, mayBeClaim))) return false;
  const claimed = claimedBy(await reader.changes(operation.op));
  if (claimed.length === 0) return false;
  for (const nr of claimed) if ((await reader.node(nr))?.claim) return false;
  return (await reader.operations({ overlaps: operation.op, after: operation.op, limit: MAX_OPERATIONS_READ })).some(
    isStep,
  );
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
