// Puts a task back into the queue. What was asked about it is asked no more.

import { isPerson } from "../../graph/actor.js";
import type { Node } from "../../graph/node/node.js";
import { ok, type Result } from "../../graph/result.js";
import { resetPatch } from "../../graph/rules/reset.js";
import type { Settling } from "../../graph/rules/task-outcome.js";
import type { Reader } from "../../store/store.js";
import { layAside } from "../attempt/kept-work.js";
import type { Context } from "../context.js";
import { withdraw } from "../question/raise.js";
import { type Settled, type Settlement, settleOne } from "./settle-one.js";

interface ResetToo {
  /** Questions about the task that nobody has to answer any more. */
  readonly withdrawn: readonly string[];
  /** The commit that the task has on its feature's branch, where it stays; null if it has none. */
  readonly stays: string | null;
}

export type WasReset = Settled & ResetToo;

export const reset = (context: Context, input: { reference: string; reason?: string }): Promise<Result<WasReset>> =>
  settleOne<ResetToo>(context, "reset", input.reference, (node, settling, writer) =>
    decideReset(writer, node, settling, input.reason),
  );

/** For any operation that opens a task again. */
export async function decideReset(
  reader: Reader,
  node: Node,
  settling: Settling,
  reason: string | undefined,
): Promise<Result<Settlement<ResetToo>>> {
  const patch = resetPatch(node, settling.by, reason);
  if (!patch.ok) return patch;
  const questions = await withdraw(reader, node.id);
  const thaws = isPerson(settling.by) && stoppedWithIt(node);
  return ok({
    patch: { ...patch.value, ...(thaws ? { freeze: null } : {}) },
    sentence: `${settling.by} reset ${node.id}${reason === undefined ? "" : `: ${reason}`}`,
    also: [...questions, ...(await layAside(reader, node.nr, settling.at))],
    told: {
      withdrawn: questions.map(({ key }) => key),
      stays: node.outcome?.kind === "done" ? (node.report?.commit ?? null) : null,
    },
  });
}

/** A program froze it when it was rejected, and a person has looked at it since. What people froze stays frozen. */
const stoppedWithIt = ({ nr, freeze, acceptance }: Node): boolean =>
  freeze !== null && freeze.from === nr && !isPerson(freeze.by) && acceptance?.state === "rejected";
