// Finishes or reopens tasks. Open questions about them are withdrawn.

import { isPerson } from "../../model/actor.js";
import type { Node, NodeFields } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import { resetPatch } from "../../model/rules/claim.js";
import { acceptPatch, mayAccept, type Settling } from "../../model/rules/task-outcome.js";
import type { Reader, Writer } from "../../store/store.js";
import { latestAttempt, layAside, liftStorm, takeUp } from "../attempt/settle-attempts.js";
import { actWithNumber, type Context } from "../base/context.js";
import { resolveAll } from "../base/resolve.js";
import { withdraw } from "../question/raise.js";

/** What changes about the task, what changes with it, and what to tell about that. */
export interface Settlement<T extends object = object> {
  readonly patch: Partial<NodeFields>;
  readonly also?: readonly Change[];
  readonly details: T;
}

const PAST = { fail: "failed", accept: "accepted", reset: "reset" } as const;

/** Settles all of them in one operation, or none. `because` completes "human:ada reset TASK-1". */
export function settleTasks<T extends object>(
  context: Context,
  verb: keyof typeof PAST,
  references: readonly string[],
  because: string | undefined,
  decide: (node: Node, settling: Settling, writer: Writer) => Promise<Result<Settlement<T>>>,
) {
  return actWithNumber(context, verb, async (writer, at) => {
    const found = await resolveAll(writer, references, context);
    if (!found.ok) return found;
    const changes: Change[] = [];
    const tasks: (T & { readonly id: string })[] = [];
    for (const node of found.value) {
      const decided = await decide(node, { by: context.actor, at, op: writer.op }, writer);
      if (!decided.ok) return decided;
      const { patch, also = [], details } = decided.value;
      changes.push(...changeNode(node, patch), ...also);
      tasks.push({ id: node.id, ...details });
    }
    const names = tasks.map(({ id }) => id).join(", ");
    const sentence = `${context.actor} ${PAST[verb]} ${names}${because === undefined ? "" : `: ${because}`}`;
    return ok({ sentence, changes, value: { tasks } });
  });
}

/** A person accepts what the checks could not or did not accept, with a reason. */
export const accept = (
  context: Context,
  { references, reason }: { readonly references: readonly string[]; readonly reason: string },
) =>
  settleTasks(context, "accept", references, reason, (node, settling, writer) =>
    decideAccept(writer, node, settling, reason),
  );

/** For any operation in which a person accepts a task. */
export async function decideAccept(reader: Reader, node: Node, settling: Settling, reason: string) {
  const may = mayAccept(node);
  if (!may.ok) return may;
  const questions = await withdraw(reader, node.id);
  const taken = await takeUp(reader, node.nr, settling.at);
  const latest = (await latestAttempt(reader, node.nr))?.fields;
  return ok({
    patch: acceptPatch(settling, reason),
    also: [...questions, ...taken.changes],
    /**
     * Questions that need no answer any more, the attempt whose work the next run, daemon or landing merges, and what is accepted: the
     * change, and which files of it are outside of the footprint.
     */
    details: {
      withdrawn: questions.map(({ key }) => key),
      integrates: taken.attempt,
      changes: latest?.changes ?? null,
      outside: latest?.outside ?? [],
    },
  });
}

export const reset = (
  context: Context,
  { references, reason }: { readonly references: readonly string[]; readonly reason?: string },
) =>
  settleTasks(context, "reset", references, reason, (node, settling, writer) =>
    decideReset(writer, node, settling, reason),
  );

/** For any operation that reopens a task. */
export async function decideReset(reader: Reader, node: Node, settling: Settling, reason: string | undefined) {
  const patch = resetPatch(node, settling.by, reason);
  if (!patch.ok) return patch;
  const questions = await withdraw(reader, node.id);
  const thaws = isPerson(settling.by) && stoppedWithIt(node);
  return ok({
    patch: { ...patch.value, ...(thaws ? { freeze: null } : {}) },
    also: [...questions, ...(await aboutAttempts(reader, node, settling))],
    /** Questions that need no answer any more, and the commit that stays on the feature's branch. */
    details: {
      withdrawn: questions.map(({ key }) => key),
      stays: node.outcome?.kind === "done" ? (node.report?.commit ?? null) : null,
    },
  });
}

async function aboutAttempts(reader: Reader, { nr }: Node, { by, at }: Settling): Promise<readonly Change[]> {
  const aside = await layAside(reader, nr, at);
  return aside.length > 0 || !isPerson(by) ? aside : liftStorm(reader, nr, at);
}

/** A program froze it when it was rejected. What a person froze stays frozen. */
const stoppedWithIt = ({ nr, freeze, acceptance }: Node): boolean =>
  freeze !== null && freeze.from === nr && !isPerson(freeze.by) && acceptance?.state === "rejected";
