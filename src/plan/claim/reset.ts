// Puts tasks back into the queue. Open questions about them are withdrawn.

import { isPerson } from "../../model/actor.js";
import type { Node } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import { resetPatch } from "../../model/rules/claim.js";
import type { Settling } from "../../model/rules/task-outcome.js";
import type { Reader } from "../../store/store.js";
import { layAside, liftStorm } from "../attempt/expire-kept.js";
import type { Context } from "../base/context.js";
import { withdraw } from "../question/raise.js";
import { type Settled, type Settlement, settleTasks } from "./settle-tasks.js";

interface ResetWith {
  /** Questions about the task that need no answer any more. */
  readonly withdrawn: readonly string[];
  /** The commit that the task has on its feature's branch, where it stays; null if it has none. */
  readonly stays: string | null;
}

export type WasReset = Settled<ResetWith>;

export const reset = (
  context: Context,
  { references, reason }: { readonly references: readonly string[]; readonly reason?: string },
): Promise<Result<WasReset>> =>
  settleTasks<ResetWith>(context, {
    verb: "reset",
    references,
    because: reason,
    decide: (node, settling, writer) => decideReset(writer, node, settling, reason),
  });

/** For any operation that reopens a task. */
export async function decideReset(
  reader: Reader,
  node: Node,
  settling: Settling,
  reason: string | undefined,
): Promise<Result<Settlement<ResetWith>>> {
  const patch = resetPatch(node, settling.by, reason);
  if (!patch.ok) return patch;
  const questions = await withdraw(reader, node.id);
  const thaws = isPerson(settling.by) && stoppedWithIt(node);
  return ok({
    patch: { ...patch.value, ...(thaws ? { freeze: null } : {}) },
    also: [...questions, ...(await aboutAttempts(reader, node, settling))],
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
