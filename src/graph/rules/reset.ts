// Back to the queue: what was rejected or handed in, and, by a person with a reason, what was settled.

import { isPerson } from "../actor.js";
import type { Node, NodeFields, OutcomeKind } from "../node/node.js";
import { absent, ok, type Result, refused } from "../result.js";
import { RETRIES_EXHAUSTED } from "./claim.js";

/** Attempts are kept: they count against the budget. */
const AGAIN: Partial<NodeFields> = { acceptance: null, retries: 0 };

export function resetPatch(node: Node, actor: string, reason: string | undefined): Result<Partial<NodeFields>> {
  if (node.archive !== null) {
    return refused("archived", `${node.id} is archived.`, {
      hint: `\`planwright archive ${node.id} --restore\` brings it back.`,
    });
  }
  if (node.claim) {
    return refused("in-flight", `${node.claim.by} is working on ${node.id}.`, {
      hint: `\`planwright release ${node.id}\` by its worker, or the end of its lease, sets it free.`,
    });
  }
  if (node.outcome !== null) return reopen(node, node.outcome.kind, actor, reason);
  const exhausted = node.freeze?.reason.startsWith(RETRIES_EXHAUSTED) ?? false;
  if (node.acceptance === null && !exhausted) {
    return absent("nothing-to-reset", `${node.id} was neither rejected nor handed in.`, {
      hint: `\`planwright why ${node.id}\` says how it stands.`,
    });
  }
  const may = mayRetry(node, actor);
  return may.ok ? ok(exhausted ? { ...AGAIN, freeze: null } : AGAIN) : may;
}

/** A worker that could reset its own failures would go round for ever: an agent needs a budget that ends. */
function mayRetry({ id, acceptance, attempts, budgets }: Node, actor: string): Result<void> {
  if (isPerson(actor)) return ok(undefined);
  const hint = "Ask a person to decide; `planwright promote NOTE` leaves a note for them.";
  const needsPerson = (why: string): Result<never> =>
    refused("needs-person", `${why}; only a person can reset it.`, { hint });
  if (acceptance?.state === "rejected" && isPerson(acceptance.by)) {
    return needsPerson(`${id} was rejected by ${acceptance.by}`);
  }
  if (budgets.attempts === undefined) return needsPerson(`${id} has no budget of attempts`);
  if (attempts >= budgets.attempts) return needsPerson(`${id} has had all of its ${budgets.attempts} attempts`);
  return ok(undefined);
}

function reopen(node: Node, was: OutcomeKind, actor: string, reason: string | undefined): Result<Partial<NodeFields>> {
  if (node.kind === "land") {
    return refused("landed", `${node.id} has landed; code that landed is taken back by a new task.`, {
      hint: "`planwright add TITLE` makes one.",
    });
  }
  if (!isPerson(actor)) return refused("needs-person", `${node.id} is ${was}; only a person can open it again.`);
  if (reason === undefined) {
    return refused("needs-reason", `${node.id} is ${was}; opening it again needs a reason.`, {
      hint: `\`planwright reset ${node.id} --reason TEXT\``,
    });
  }
  return ok({ ...AGAIN, outcome: null });
}
