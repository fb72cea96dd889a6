// Claims: who works on what, until when, and what happens when a lease ends.

import { type Actor, isPerson } from "../actor.js";
import { step } from "../next-step.js";
import type { Claim, Freeze, Node, NodeFields, OutcomeKind } from "../node/node.js";
import { absent, ok, type Result, refused } from "../result.js";

export interface ClaimTerms {
  readonly by: Actor;
  readonly token: string;
  readonly at: number;
  readonly leaseMs: number;
}

/** The caller has made sure that the task is claimable. */
export function claimPatch(node: Node, { by, token, at, leaseMs }: ClaimTerms): Partial<NodeFields> {
  const epoch = node.epoch + 1;
  return { claim: { by, token, epoch, at, until: at + leaseMs }, epoch, attempts: node.attempts + 1 };
}

/** The same worker takes its claim again, with another token. It is the same attempt. */
export function retakePatch(node: Node, { token, at, leaseMs }: Omit<ClaimTerms, "by">): Partial<NodeFields> {
  const epoch = node.epoch + 1;
  return { claim: { ...(node.claim as Claim), token, epoch, until: at + leaseMs }, epoch };
}

/** A person may leave out the token of a claim of their own; every agent has to show it. `token`: its hash. */
export function requireClaim(node: Node, actor: Actor, token: string | undefined): Result<Claim> {
  const { claim } = node;
  if (!claim) return notHeld(node, token);
  if (token === claim.token) return ok(claim);
  if (token === undefined && claim.by === actor && actor.startsWith("human:")) return ok(claim);
  if (token === undefined && claim.by === actor) {
    const message = `You claimed ${node.id}. Pass the token that came with the claim, or start it again to get a new one.`;
    return refused("needs-token", message, { next: [step("next", { reference: node.id })] });
  }
  if (token === undefined) {
    return refused("needs-token", `${claim.by} claimed ${node.id}. Pass the token that came with the claim.`, {
      next: [step("show", { reference: node.id })],
    });
  }
  return lost(node, `${claim.by} has claimed ${node.id} now, so this token is no longer valid.`);
}

function notHeld(node: Node, token: string | undefined): Result<never> {
  if (token !== undefined) return lost(node, endOfClaim(node));
  return refused("not-claimed", `Nobody has claimed ${node.id}.`, {
    next: [step("next", { reference: node.id }), step("why", { reference: node.id })],
  });
}

/** Who ended it, and why, as far as the task shows it. */
function endOfClaim({ id, freeze, outcome, approval }: Node): string {
  const ended = `Your claim of ${id} has ended`;
  const because = (reason: string | null): string => (reason === null || reason === "" ? "." : `: ${reason}.`);
  if (outcome !== null) return `${ended}. ${outcome.by} ended the task (${outcome.kind})${because(outcome.reason)}`;
  if (freeze !== null) return `${ended}. ${freeze.by} froze it${because(freeze.reason)}`;
  if (approval === null) return `${ended}. It is no longer approved.`;
  return `${ended}: it was released, or its lease ran out and was not renewed.`;
}

const lost = (node: Node, message: string): Result<never> =>
  refused("lease-lost", `${message} Nothing was changed.`, {
    details: { id: node.id, epoch: node.epoch },
    next: [step("next")],
  });

export const RETRIES_EXHAUSTED = "retry-exhausted";

/** A lease ran out: the task goes back to the queue, or is frozen when that happened too often. */
export function expirePatch(node: Node, at: number, maxRetries: number, by: Actor): Partial<NodeFields> {
  const retries = node.retries + 1;
  if (retries <= maxRetries) return { claim: null, retries };
  const reason = `${RETRIES_EXHAUSTED}: ${retries} leases in a row ended without a word from the worker`;
  const freeze: Freeze = { reason, by, at, from: node.nr, commit: null };
  return { claim: null, retries, freeze };
}

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
    refused("needs-person", `${why}, so only a person can reset it.`, {
      next: [step("comment", { reference: id }, "text")],
    });
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
