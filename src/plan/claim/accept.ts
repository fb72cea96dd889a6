// A person accepts what the checks could not or did not accept, with a reason. Open questions about the task are withdrawn,
// and the next run, daemon or landing merges the work that was kept.

import type { Node } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import { acceptPatch, mayAccept, type Settling } from "../../model/rules/task-outcome.js";
import type { Reader } from "../../store/store.js";
import { takeUp } from "../attempt/expire-kept.js";
import type { Context } from "../base/context.js";
import { withdraw } from "../question/raise.js";
import { type Settled, type Settlement, settleTasks } from "./settle-tasks.js";

interface AcceptedWith {
  /** Questions about the task that need no answer any more. */
  readonly withdrawn: readonly string[];
  /** The attempt whose work is not on the feature's branch yet; the next run, daemon or landing merges it. */
  readonly integrates: string | null;
}

export type Accepted = Settled<AcceptedWith>;

export const accept = (
  context: Context,
  { references, reason }: { readonly references: readonly string[]; readonly reason: string },
): Promise<Result<Accepted>> =>
  settleTasks<AcceptedWith>(context, {
    verb: "accept",
    references,
    because: reason,
    decide: (node, settling, writer) => decideAccept(writer, node, settling, reason),
  });

/** For any operation in which a person accepts a task. */
export async function decideAccept(
  reader: Reader,
  node: Node,
  settling: Settling,
  reason: string,
): Promise<Result<Settlement<AcceptedWith>>> {
  const may = mayAccept(node);
  if (!may.ok) return may;
  const questions = await withdraw(reader, node.id);
  const taken = await takeUp(reader, node.nr, settling.at);
  return ok({
    patch: acceptPatch(settling, reason),
    also: [...questions, ...taken.changes],
    details: { withdrawn: questions.map(({ key }) => key), integrates: taken.attempt },
  });
}
