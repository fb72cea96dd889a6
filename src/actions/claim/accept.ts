// A person accepts what the checks could not, or did not: recorded with a reason. What was asked about the task is asked no
// more, and work that was kept goes onto the feature's branch with whoever runs the plan next.

import { isPerson } from "../../graph/actor.js";
import type { Node } from "../../graph/node/node.js";
import { ok, type Result, refused } from "../../graph/result.js";
import { acceptPatch, mayAccept, type Settling } from "../../graph/rules/task-outcome.js";
import type { Reader } from "../../store/store.js";
import { takeUp } from "../attempt/kept-work.js";
import type { Context } from "../context.js";
import { withdraw } from "../question/raise.js";
import { type Settled, type Settlement, settleOne } from "./settle-one.js";

interface AcceptedToo {
  /** Questions about the task that nobody has to answer any more. */
  readonly withdrawn: readonly string[];
  /** The attempt whose work is not on the feature's branch yet; the next run, daemon or landing puts it there. */
  readonly integrates: string | null;
}

export type Accepted = Settled & AcceptedToo;

export const accept = (context: Context, input: { reference: string; reason: string }): Promise<Result<Accepted>> =>
  settleOne<AcceptedToo>(context, "accept", input.reference, (node, settling, writer) =>
    decideAccept(writer, node, settling, input.reason),
  );

/** For any operation in which a person accepts a task. */
export async function decideAccept(
  reader: Reader,
  node: Node,
  settling: Settling,
  reason: string,
): Promise<Result<Settlement<AcceptedToo>>> {
  if (!isPerson(settling.by)) {
    return refused("needs-person", `Only a person can accept; ${settling.by} is not one.`, {
      hint: `Ask a person to look at ${node.id}.`,
    });
  }
  const may = mayAccept(node);
  if (!may.ok) return may;
  const questions = await withdraw(reader, node.id);
  const taken = await takeUp(reader, node.nr, settling.at);
  return ok({
    patch: acceptPatch(settling, reason),
    sentence: `${settling.by} accepted ${node.id}: ${reason}`,
    also: [...questions, ...taken.changes],
    told: { withdrawn: questions.map(({ key }) => key), integrates: taken.attempt },
  });
}
