// Finished nodes do not change any more; only undo goes back.

import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { isFinished } from "../../model/status/rollup.js";

const decidedAs = (node: Node): string | undefined => (node.archive !== null ? "archived" : node.outcome?.kind);

/** How it was finished; a container is done with all that is in it. */
export const finishedAs = (node: Node): string | undefined =>
  decidedAs(node) ?? (isFinished(node) ? "done" : undefined);

/** The content of a finished node is what was proved, so it stays. */
export function requireOpen(node: Node): Result<Node> {
  const word = finishedAs(node);
  if (word === undefined) return ok(node);
  return refused("settled", `${node.id} is ${word} and cannot change any more. Add new work instead.`, {
    next: [step("log", { reference: node.id })],
    details: { id: node.id, outcome: word },
  });
}

/** A container whose work is all done may get more; one that was dropped, waived or archived may not. */
export function requireOpenParent(parent: Node): Result<Node> {
  const { id } = parent;
  const outcome = decidedAs(parent);
  if (outcome === undefined) return ok(parent);
  const rest = { next: [step("status")], details: { id, outcome } };
  return refused("settled", `${id} is ${outcome}, so nothing can be put below it.`, rest);
}
