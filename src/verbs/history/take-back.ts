// Undoes an operation as a whole, or does it again. Each is an operation itself.

import { type Actor, isPerson } from "../../model/actor.js";
import { isoTime } from "../../model/iso-time.js";
import { step } from "../../model/next-step.js";
import type { Node, Nr } from "../../model/node/node.js";
import { type Change, raisesLevel } from "../../model/operation/change.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import { claimedBy, isStep, isUpkeep, judgesWork, onlyApproves } from "../../model/operation/undo.js";
import { absent, type Failure, fail, ok, type Result, refused, type ValueOf } from "../../model/result.js";
import { deriveStatus } from "../../model/status/status.js";
import { act, type Context, rehearse } from "../../plan/base/context.js";
import { changeLevel, readLevels } from "../../plan/level/level.js";
import { requirePerson } from "../../plan/node/require-person.js";
import type { Decision, Reader, Writer } from "../../store/store.js";
import {
  type ChosenOperation,
  changedRows,
  lastUndone,
  listStanding,
  MAX_OPERATIONS_READ,
  named,
  numbered,
  PEOPLE,
  RESTORE,
  type Skipped,
  undoableBefore,
  usedBy,
} from "./choose-operation.js";
import { everyChange, latestTurn, reverseTurn } from "./reversal.js";
import { stepStays } from "./steps.js";

export type TurnAnswer = ValueOf<ReturnType<typeof turn>>;
export type UndoPreview = ValueOf<ReturnType<typeof previewUndo>>;
export type Undoable = ReturnType<typeof toUndoable>;

/** `refused`: why an undo would refuse it now; null if it would not. */
const toUndoable = ({
  op,
  at,
  actor,
  verb,
  sentence,
  refused,
}: LoggedOperation & { readonly refused: string | null }) => ({ op, at: isoTime(at), actor, verb, sentence, refused });

export function undoable(context: Context, reference?: string): Promise<Result<Undoable[]>> {
  return context.store.read(async (reader) => {
    const found = await listStanding(reader, context, reference, context.now());
    return found.ok ? ok(found.value.map(toUndoable)) : found;
  });
}

/** `target` is the number of an operation, or a node; without it, the asker's own latest operation is undone. */
export async function undo(context: Context, target?: string) {
  const chosen = await choose(context, (reader) => named(reader, context, target));
  const turned = chosen.ok ? await turn(context, chosen.value.operation, "undo", chosen.value.skipped) : chosen;
  return turned.ok || target !== undefined ? turned : withEarlier(context, turned.error);
}

/** Without a number nothing older is taken back instead. It is named. */
async function withEarlier(context: Context, failure: Failure): Promise<Result<never>> {
  if (failure.kind === "absent") return fail(failure);
  const { message, next = [], ...error } = failure;
  return context.store.read(async (reader) => {
    const latest = await named(reader, context, undefined);
    if (!latest.ok) return latest;
    const earlier = await undoableBefore(reader, context.actor, latest.value.operation.op, context.now());
    if (earlier === null) return fail(failure);
    const words = `Your latest operation that can be undone is ${earlier.op}: ${earlier.sentence}.`;
    return fail({
      ...error,
      message: `${message}\n${words}`,
      next: [...next, step("undo", { operation: String(earlier.op) })],
    });
  });
}

const MAX_TARGETS_SHOWN = 50;

/**
 * What an undo would do, looked at and not done. What is in its way is the answer here too. `targets`: what would change, and `ready`:
 * tasks that would be ready then, and are not now; of very many only the first.
 */
export async function previewUndo(context: Context, target?: string) {
  const chosen = await choose(context, (reader) => named(reader, context, target));
  if (!chosen.ok) return target === undefined ? withEarlier(context, chosen.error) : chosen;
  const { operation } = chosen.value;
  const { op, verb, sentence } = operation;
  const seen = await rehearse(
    context,
    (writer, at) => decideTurn(context, operation, "undo", writer, at),
    async (writer, { changes, parts, value }) => {
      const targets: string[] = [];
      const ready: string[] = [];
      const { first, rows } = await inShort(writer, changes, parts);
      for (const change of first) {
        const isNode = change.entity === "node";
        const id = isNode ? ((await writer.idOf(change.key)) ?? change.after?.id ?? "") : change.key;
        targets.push(id);
        if (await becomesReady(writer, change)) ready.push(id);
      }
      return { targets, ready, rows, stillLanded: value.stillLanded };
    },
  );
  if (seen.ok) return ok({ of: op, verb, sentence, ...seen.value });
  return target === undefined ? withEarlier(context, seen.error) : seen;
}

/** The first changes, and how many there are. */
async function inShort(writer: Writer, changes: readonly Change[], parts: Decision<unknown>["parts"]) {
  const first: Change[] = [];
  let rows = changes.length;
  for await (const part of parts?.() ?? []) {
    first.push(...part.slice(0, MAX_TARGETS_SHOWN - first.length));
    rows += part.length;
    writer.forget();
  }
  return { first: [...first, ...changes].slice(0, MAX_TARGETS_SHOWN), rows };
}

async function becomesReady(reader: Reader, change: Change): Promise<boolean> {
  if (change.entity !== "node" || change.after === null) return false;
  const node = await reader.node(change.key);
  if (node?.tier !== "task") return false;
  const then = { ...node, ...change.after };
  const isReady = async (each: Node): Promise<boolean> =>
    deriveStatus(each, await reader.surroundings(each)).status === "ready";
  return (await isReady(then)) && !(await isReady(node));
}

/** An operation that may go back or forth, and has something to. */
const choose = (
  context: Context,
  find: (reader: Reader) => Promise<Result<ChosenOperation>>,
): Promise<Result<ChosenOperation>> =>
  context.store.read(async (reader) => {
    const chosen = await find(reader);
    if (!chosen.ok) return chosen;
    const { operation } = chosen.value;
    const may = await mayTurn(reader, context.actor, operation);
    if (!may.ok) return may;
    return (await changedRows(reader, operation)) ? chosen : changedFile(operation);
  });

/** Without a number: what the asker undid last, unless they did something else since. */
export async function redo(context: Context, op?: number) {
  const chosen = await choose(context, (reader) =>
    op === undefined ? lastUndone(reader, context.actor) : numbered(reader, op),
  );
  return chosen.ok ? turn(context, chosen.value.operation, "redo", chosen.value.skipped) : chosen;
}

function changedFile({ op, at, verb, sentence }: LoggedOperation): Result<never> {
  if (verb === PEOPLE)
    return refused(
      "people",
      `Operation ${op} changed whom this plan knows, and that stays in force: ${sentence}. Add or remove them instead.`,
      { next: [step("people.list")] },
    );
  if (verb !== RESTORE)
    return absent("nothing-to-undo", `Operation ${op} changed no node, so there is nothing to undo: ${sentence}.`, {
      next: [step("undo", { list: true })],
    });
  const message = `Operation ${op} replaced the whole plan: ${sentence}. Undo changes what is in the plan, not its file.`;
  return refused("file-restored", message, { details: { op, at } });
}

async function mayTurn(reader: Reader, actor: Actor, operation: LoggedOperation): Promise<Result<void>> {
  const { op, actor: by } = operation;
  if (isStep(operation)) return stepStays(reader, operation);
  if (isUpkeep(operation)) {
    const message = `Operation ${op} only renewed a lease, ended one or marked news as read, so there is nothing to undo.`;
    return refused("upkeep", message, { next: [step("undo", { list: true })] });
  }
  if (isPerson(actor) || actor === by) return ok(undefined);
  const message = `Operation ${op} is by ${by}, and ${actor} may undo only its own. Ask a person to do it.`;
  return refused("needs-person", message, { next: [step("undo", { list: true })] });
}

/**
 * `op`: the operation that did it. `of`: the operation that was undone or done again. `turnable`: whether it can be reversed again: a
 * claim that was undone is not done again. `landsAgain`: a feature whose landing was undone, and that main no longer holds. `stillLanded`: a feature whose landing was undone, but whose code is still on the main branch.
 * `asksFirst`: the level of that feature went from auto to on. `meanwhile`: what others did since. `stillOnBranch`: accepted work that was undone, but whose commit stays on the feature's branch.
 */
async function turn(
  context: Context,
  operation: LoggedOperation,
  verb: "undo" | "redo",
  skipped: readonly Skipped[] = [],
) {
  const { op, sentence } = operation;
  const meanwhile = await context.store.read((reader) => byOthersSince(reader, context.actor, op));
  const committed = await act(
    context,
    verb,
    (writer, at) => decideTurn(context, operation, verb, writer, at),
    verb === "undo" ? { undoes: op } : { redoes: op },
  );
  if (!committed.ok) return committed;
  const { stillLanded, ...done } = committed.value.value;
  const isLost = stillLanded !== null && (await isOffMain(context, stillLanded));
  return ok({
    op: committed.value.op,
    of: op,
    verb: operation.verb,
    sentence,
    skipped,
    meanwhile,
    ...done,
    stillLanded: isLost ? null : stillLanded,
    landsAgain: isLost ? stillLanded : null,
  });
}

/** Git is loaded only for a landing. */
async function isOffMain(context: Context, feature: string): Promise<boolean> {
  if (context.head() === null) return false;
  const { lostTipOf } = await import("../../plan/repository/lost-landings.js");
  return context.store.read(async (reader) => {
    const node = await reader.byId(feature);
    return node !== undefined && (await lostTipOf(reader, context, node)) !== null;
  });
}

async function decideTurn(
  context: Context,
  operation: LoggedOperation,
  verb: "undo" | "redo",
  writer: Writer,
  at: number,
) {
  const { op, sentence } = operation;
  const last = await latestTurn(writer, operation);
  if ((last.undoes === op) !== (verb === "redo")) return alreadySo(operation, last);
  const used = await usedBy(writer, operation);
  if (used) return answerUsed(op, used);
  const isApproval = await everyChange(writer, op, onlyApproves);
  // What only approves has judged, claimed and landed nothing, and may have a million rows.
  const done = isApproval ? [] : await writer.changes(op);
  // Otherwise an agent could hand in, undo that and try again without end.
  const may = judgesWork(done) ? requirePerson(context.actor, "undo work that was handed in") : ok(undefined);
  if (!may.ok) return may;
  const [claimed] = claimedBy(done);
  if (verb === "redo" && claimed !== undefined) return claimEnded(op, await writer.node(claimed));
  const reversed = await reverseTurn(writer, last, context.actor, at);
  if (!reversed.ok) return reversed;
  const mayRaise = raisesLevel(reversed.value.changes)
    ? requirePerson(context.actor, "raise the level")
    : ok(undefined);
  if (!mayRaise.ok) return mayRaise;
  const landed = verb === "undo" ? await landedBy(writer, done) : null;
  const stillLanded = landed === null ? null : ((await writer.idOf(landed)) ?? null);
  const lowered = landed === null ? [] : await askBeforeLanding(writer, landed, { by: context.actor, at });
  const stillOnBranch = verb === "undo" && stillLanded === null ? await acceptedBy(writer, done) : null;
  const did = verb === "undo" ? "undid" : "redid";
  return ok({
    sentence: `${context.actor} ${did} operation ${op}: ${sentence}`,
    ...reversed.value,
    changes: [...reversed.value.changes, ...lowered],
    value: { turnable: claimed === undefined, stillLanded, stillOnBranch, asksFirst: lowered.length > 0 },
  });
}

const MAX_OTHERS_SHOWN = 5;

/** What others did since, newest first: it stays. */
async function byOthersSince(reader: Reader, actor: Actor, op: number) {
  const later = await reader.operations({ state: "standing", after: op, limit: MAX_OPERATIONS_READ });
  const others = later.filter((each) => each.actor !== actor).slice(0, MAX_OTHERS_SHOWN);
  return others.map(({ op, actor: by, sentence }) => ({ op, by, sentence }));
}

/** It landed by itself, so it would land again at once: from now on its daemon asks first. */
async function askBeforeLanding(writer: Writer, feature: Nr, { by, at }: { by: Actor; at: number }): Promise<Change[]> {
  const isAuto = (await readLevels(writer))(feature) === "auto";
  return isAuto ? changeLevel(writer, String(feature), { level: "on", by, at, reason: "its landing was undone" }) : [];
}

async function acceptedBy(reader: Reader, done: readonly Change[]) {
  for (const change of done) {
    if (change.entity !== "node" || !change.after?.outcome || !change.after.report?.commit) continue;
    const node = await reader.node(change.key);
    if (node) return { task: node.id, commit: change.after.report.commit };
  }
  return null;
}

async function landedBy(reader: Reader, done: readonly Change[]): Promise<Nr | null> {
  for (const change of done) {
    const node = change.entity === "node" && change.after?.outcome ? await reader.node(change.key) : undefined;
    if (node?.kind === "land" && node.feature !== null && node.report?.commit) return node.feature;
  }
  return null;
}

const answerUsed = (op: number, { op: since, sentence }: LoggedOperation): Result<never> =>
  refused("answer-used", `The answer of operation ${op} was used already, in operation ${since}: ${sentence}`, {
    next: [step("plan.revise", {}, "run", "note"), step("plan.list")],
    details: { op, since },
  });

/** A claim that was undone has ended, with its token. */
const claimEnded = (op: number, task: Node | undefined): Result<never> =>
  refused("claim-ended", `Operation ${op} was a claim, which ended when it was undone. Claim the task again.`, {
    next: [task ? step("next", { reference: task.id }) : step("next", {}, "reference")],
  });

const alreadySo = ({ op }: LoggedOperation, last: LoggedOperation): Result<never> =>
  last.undoes === op
    ? refused("already-undone", `Operation ${last.op} undid operation ${op} already.`, {
        next: [step("redo", { operation: op })],
      })
    : refused("not-undone", `Operation ${op} was not undone, so there is nothing to redo.`, { next: [step("log")] });
