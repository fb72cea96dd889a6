// What happens to a task when its worker hands it in or gives it up, or a person decides.

import type { Actor } from "../actor.js";
import { hasFailed } from "../attempt/proof-strength.js";
import { step } from "../next-step.js";
import type { Acceptance, CheckResult, Claim, FailureClass, Node, NodeFields, Outcome, Report } from "../node/node.js";
import { ok, type Result, refused } from "../result.js";

export interface Settling {
  readonly by: Actor;
  readonly at: number;
  readonly op: number;
}

export interface HandInFacts {
  readonly checks: readonly CheckResult[];
  readonly commit: string | null;
  readonly created: readonly string[];
  readonly modified: readonly string[];
}

const NOTHING_HANDED_IN: HandInFacts = { checks: [], commit: null, created: [], modified: [] };

const done = ({ by, at, op }: Settling, reason: string | null): Outcome => ({ kind: "done", by, at, op, reason });

function reportOn(claim: Claim, { by, at }: Settling, handedIn: HandInFacts, failure: Report["failure"]): Report {
  const { checks, commit, created, modified } = handedIn;
  return { checks, commit, created, modified, by, at, startedAt: claim.at, durationMs: at - claim.at, failure };
}

/** The checks decide, never the worker; without checks a person has to. */
export function handIn(claim: Claim, settling: Settling, handedIn: HandInFacts): Partial<NodeFields> {
  const { at, by } = settling;
  const failed = handedIn.checks.find(hasFailed);
  if (failed) {
    const reason = `${failed.run}: ${failed.outcome}`;
    return {
      claim: null,
      retries: 0,
      acceptance: { state: "rejected", by: "checks", at, reason },
      report: reportOn(claim, settling, handedIn, { class: "logic", reason }),
    };
  }
  const report = reportOn(claim, settling, handedIn, null);
  if (handedIn.checks.length === 0) {
    return { claim: null, retries: 0, acceptance: { state: "pending", by, at, reason: null }, report };
  }
  const acceptance: Acceptance = { state: "accepted", by: "checks", at, reason: null };
  return { claim: null, retries: 0, outcome: done(settling, null), acceptance, report };
}

/** The worker gives up. The checks that failed are kept, so that an override shows what it overrode. */
export function giveUp(
  claim: Claim,
  settling: Settling,
  failure: { class: FailureClass; reason: string },
  checks: readonly CheckResult[] = [],
): Partial<NodeFields> {
  return {
    claim: null,
    retries: 0,
    acceptance: { state: "rejected", by: settling.by, at: settling.at, reason: failure.reason },
    report: reportOn(claim, settling, { ...NOTHING_HANDED_IN, checks }, failure),
  };
}

/** A person completes a gate, or overrides the checks. */
export const acceptPatch = (settling: Settling, reason: string | null): Partial<NodeFields> => ({
  claim: null,
  outcome: done(settling, reason),
  acceptance: { state: "accepted", by: settling.by, at: settling.at, reason },
});

/** Only what was handed in or rejected can be accepted. */
export function mayAccept(node: Node): Result<void> {
  const state = node.acceptance?.state;
  if (node.outcome !== null) return refused("settled", `${node.id} is ${node.outcome.kind} already.`);
  if (state === "pending" || state === "rejected") return ok(undefined);
  return refused("nothing-to-accept", `Nobody has handed in ${node.id} yet.`, {
    next: [step("why", { reference: node.id })],
  });
}
