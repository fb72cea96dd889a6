// Takes an operation back as a whole, or does again what was taken back; each is an operation itself.

import { type Actor, isPerson } from "../../graph/actor.js";
import type { Node } from "../../graph/node/node.js";
import type { Operation } from "../../graph/operation/operation.js";
import {
  claimedBy,
  isFirstHand,
  isStep,
  isTurnable,
  isUpkeep,
  judgesWork,
  subjectOf,
} from "../../graph/operation/undo.js";
import { absent, ok, type Result, refused } from "../../graph/result.js";
import { raisesLevel } from "../../graph/rules/level-change.js";
import type { LogQuery, Reader } from "../../store/store.js";
import { act, type Context } from "../context.js";
import { requirePerson } from "../require-person.js";
import { resolve } from "../resolve.js";
import { isoTime } from "../view.js";
import { latestTurn, reverseTurn } from "./reversal.js";

export interface Turned {
  /** The operation that did it. */
  readonly op: number | null;
  /** The operation that was taken back or done again, and what it was. */
  readonly of: number;
  readonly verb: string;
  readonly sentence: string;
  /** Whether it can be turned round again: a claim that was taken back is not done again. */
  readonly turnable: boolean;
}

export interface Undoable {
  readonly op: number;
  readonly at: string;
  readonly actor: Actor;
  readonly verb: string;
  readonly sentence: string;
}

/** What could be taken back, the latest first. */
export function undoable(context: Context, reference?: string): Promise<Result<Undoable[]>> {
  return context.store.read(async (reader) => {
    const query = await standing(reader, context.actor, reference, LISTED);
    if (!query.ok) return query;
    const found: Operation[] = [];
    for (const operation of await reader.operations(query.value))
      if (!(await usedBy(reader, operation))) found.push(operation);
    return ok(found.map(({ op, at, actor, verb, sentence }) => ({ op, at: isoTime(at), actor, verb, sentence })));
  });
}

const LISTED = 20;

/** `target` is the number of an operation, or a node; without it, the latest operation goes. */
export async function undo(context: Context, target?: string): Promise<Result<Turned>> {
  const chosen = await context.store.read((reader) =>
    isNumber(target) ? numbered(reader, target) : latest(reader, context.actor, target),
  );
  if (!chosen.ok) return chosen;
  const may = mayTurn(context.actor, chosen.value);
  return may.ok ? turn(context, chosen.value, "undo") : may;
}

/** Without a target: what was taken back last, unless something else was done since. */
export async function redo(context: Context, target?: string): Promise<Result<Turned>> {
  const chosen = await context.store.read((reader) =>
    target === undefined ? lastUndone(reader, context.actor) : numbered(reader, target),
  );
  if (!chosen.ok) return chosen;
  const may = mayTurn(context.actor, chosen.value);
  return may.ok ? turn(context, chosen.value, "redo") : may;
}

const isNumber = (target: string | undefined): target is string => target !== undefined && /^\d{1,15}$/.test(target);

const own = (actor: Actor): Pick<LogQuery, "actor"> => (isPerson(actor) ? {} : { actor });

async function standing(
  reader: Reader,
  actor: Actor,
  reference: string | undefined,
  limit: number,
): Promise<Result<LogQuery>> {
  const query: LogQuery = { state: "standing", limit, ...own(actor) };
  if (reference === undefined) return ok(query);
  const node = await resolve(reader, reference, actor);
  return node.ok ? ok({ ...query, node: node.value.nr }) : node;
}

async function latest(reader: Reader, actor: Actor, reference: string | undefined): Promise<Result<Operation>> {
  const query = await standing(reader, actor, reference, LISTED);
  if (!query.ok) return query;
  for (const operation of await reader.operations(query.value))
    if (!(await usedBy(reader, operation))) return ok(operation);
  const what = reference === undefined ? "" : ` that touched ${reference}`;
  return absent("nothing-to-undo", `There is no operation${what} to take back.`, {
    hint: "`planwright log` shows what happened.",
  });
}

/** The step of a planning run that went on from an answer: a run goes on, not back. */
async function usedBy(reader: Reader, { op, verb }: Operation): Promise<Operation | undefined> {
  if (verb !== "answer") return undefined;
  return (await reader.operations({ overlaps: op, after: op, limit: LISTED })).find(isStep);
}

async function lastUndone(reader: Reader, actor: Actor): Promise<Result<Operation>> {
  const [found] = await reader.operations({ state: "undone", limit: 1, ...own(actor) });
  if (!found) {
    return absent("nothing-to-redo", "Nothing that was taken back is left to do again.", {
      hint: "`planwright log` shows what happened.",
    });
  }
  const { op: since } = await latestTurn(reader, found);
  const [newer] = await reader.operations({ state: "standing", after: since, limit: 1, ...own(actor) });
  if (!newer) return ok(found);
  const { op, sentence } = found;
  return absent("nothing-to-redo", `Other things were done since operation ${op} was taken back: ${sentence}`, {
    hint: `\`planwright redo ${op}\` does it again all the same; \`planwright log\` shows what came since.`,
    details: { op, since: newer.op },
  });
}

/** The number of an undo or a redo stands for the operation that it is about. */
async function numbered(reader: Reader, target: string): Promise<Result<Operation>> {
  const named = isNumber(target) ? await reader.operation(Number(target)) : undefined;
  const found = named && (isFirstHand(named) ? named : await reader.operation(subjectOf(named)));
  if (found) return ok(found);
  return absent("not-found", `There is no operation ${target.slice(0, 60)} in the log.`, {
    hint: "`planwright log` shows their numbers.",
  });
}

function mayTurn(actor: Actor, operation: Operation): Result<void> {
  const { op, actor: by } = operation;
  if (!isTurnable(operation) && !isUpkeep(operation)) {
    return refused("run-step", `Operation ${op} is a step of a planning run, and a run goes on, not back.`, {
      hint: "`planwright plan abort RUN` ends it; what a run has added to the plan can be taken back.",
    });
  }
  if (isUpkeep(operation)) {
    return refused("upkeep", `Operation ${op} only kept a lease, ended one or told news, and time is not taken back.`, {
      hint: "`planwright undo --list` shows what can be taken back.",
    });
  }
  if (isPerson(actor) || actor === by) return ok(undefined);
  return refused("needs-person", `Operation ${op} was made by ${by}, and ${actor} may turn round only its own.`, {
    hint: "Ask a person to decide; `planwright promote NOTE` leaves a note for them.",
  });
}

async function turn(context: Context, operation: Operation, verb: "undo" | "redo"): Promise<Result<Turned>> {
  const { op, sentence } = operation;
  const committed = await act<{ turnable: boolean }>(
    context,
    verb,
    async (writer, at) => {
      const last = await latestTurn(writer, operation);
      if ((last.undoes === op) !== (verb === "redo")) return alreadySo(operation, last);
      const used = await usedBy(writer, operation);
      if (used) return answerUsed(op, used);
      const done = await writer.changes(op);
      // Otherwise an agent could hand in, take it back and try again without end.
      const may = judgesWork(done) ? requirePerson(context.actor, "take back work that was handed in") : ok(undefined);
      if (!may.ok) return may;
      const [claimed] = claimedBy(done);
      if (verb === "redo" && claimed !== undefined) return claimAnew(op, await writer.node(claimed));
      const changes = await reverseTurn(writer, last, context.actor, at);
      if (!changes.ok) return changes;
      const mayRaise = raisesLevel(changes.value) ? requirePerson(context.actor, "raise the level") : ok(undefined);
      if (!mayRaise.ok) return mayRaise;
      const deed = verb === "undo" ? "took back" : "did again";
      return ok({
        sentence: `${context.actor} ${deed} operation ${op}: ${sentence}`,
        changes: changes.value,
        value: { turnable: claimed === undefined },
      });
    },
    verb === "undo" ? { undoes: op } : { redoes: op },
  );
  return committed.ok
    ? ok({ op: committed.value.op, of: op, verb: operation.verb, sentence, ...committed.value.value })
    : committed;
}

const answerUsed = (op: number, { op: since, sentence }: Operation): Result<never> =>
  refused("answer-used", `The answer of operation ${op} was used already, in operation ${since}: ${sentence}`, {
    hint: "`planwright plan revise RUN --note TEXT` asks the run for something else; `planwright plan abort RUN` ends it.",
    details: { op, since },
  });

/** A claim that was taken back has ended, with its token. */
const claimAnew = (op: number, task: Node | undefined): Result<never> =>
  refused("claim-ended", `Operation ${op} was a claim, and a claim that was taken back has ended.`, {
    hint: `Claim it anew: \`planwright start ${task?.id ?? "ID"}\`.`,
  });

const alreadySo = ({ op }: Operation, last: Operation): Result<never> =>
  last.undoes === op
    ? refused("already-undone", `Operation ${op} was taken back by operation ${last.op} already.`, {
        hint: `\`planwright redo ${op}\` does it again.`,
      })
    : refused("not-undone", `Operation ${op} stands: there is nothing to do again.`, {
        hint: "`planwright log` shows what happened.",
      });
