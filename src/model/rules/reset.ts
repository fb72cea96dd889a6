// Which tasks go back into the queue: those rejected or handed in, and, with a person's reason, finished ones.

import { isPerson } from "../actor.js";
import { step } from "../next-step.js";
import type { Node, NodeFields, OutcomeKind } from "../node/node.js";
import { absent, ok, type Result, refused } from "../result.js";
import { RETRIES_EXHAUSTED } from "./claim.js";

/** Attempts are kept: they count against the budget. */
const AGAIN: Partial<NodeFields> = { acceptance: null, retries: 0 };

export function resetPatch(node: Node, actor: string, reason: string | undefined): Result<Partial<NodeFields>> {
  if (node.archive !== null) {
    return refused("archived", `${node.id} is archived.`, { next: [step("restore", { references: [node.id] })] });
  }
  if (node.claim) {
    const message = `${node.claim.by} is working on ${node.id}. Wait until the worker releases it or its lease ends.`;
    return refused("in-flight", message, { next: [step("claim.list")] });
  }
  if (node.outcome !== null) return reopen(node, node.outcome.kind, actor, reason);
  const exhausted = node.freeze?.reason.startsWith(RETRIES_EXHAUSTED) ?? false;
  if (node.acceptance === null && !exhausted) {
    return absent("nothing-to-reset", `${node.id} was neither rejected nor handed in.`, {
      next: [step("why", { reference: node.id })],
    });
  }
  const may = mayRetry(node, actor);
  return may.ok ? ok(exhausted ? { ...AGAIN, freeze: null } : AGAIN) : may;
}

/** Without a budget that ends, a worker that resets its own failures would never stop. */
function mayRetry({ id, acceptance, attempts, budgets }: Node, actor: string): Result<void> {
  if (isPerson(actor)) return ok(undefined);
  const needsPerson = (why: string): Result<never> =>
    refused("needs-person", `${why}, so only a person can reset it.`, { next: [step("promote", {}, "note")] });
  if (acceptance?.state === "rejected" && isPerson(acceptance.by)) {
    return needsPerson(`${id} was rejected by ${acceptance.by}`);
  }
  if (budgets.attempts === undefined) return needsPerson(`${id} has no budget of attempts`);
  if (attempts >= budgets.attempts) return needsPerson(`${id} has had all of its ${budgets.attempts} attempts`);
  return ok(undefined);
}

function reopen(node: Node, was: OutcomeKind, actor: string, reason: string | undefined): Result<Partial<NodeFields>> {
  if (node.kind === "land") {
    return refused("landed", `${node.id} has landed. Add a new task to take the code back.`, {
      next: [step("add", {}, "title")],
    });
  }
  if (!isPerson(actor)) return refused("needs-person", `${node.id} is ${was}, so only a person can reopen it.`);
  if (reason === undefined) {
    return refused("needs-reason", `${node.id} is ${was}. Reopening it needs a reason.`, {
      next: [step("reset", { references: [node.id] }, "reason")],
    });
  }
  return ok({ ...AGAIN, outcome: null });
}
