// A worker hands a task in, and the checks decide. They run outside of any transaction while the claim is renewed, and
// their results count only if the claim and the checks are still the same afterwards.

import { step } from "../../graph/next-step.js";
import type { Check, CheckResult, Claim, Node } from "../../graph/node/node.js";
import { changeNode } from "../../graph/operation/change.js";
import { ok, type Result, refused } from "../../graph/result.js";
import { requireClaim } from "../../graph/rules/claim.js";
import { handIn } from "../../graph/rules/task-outcome.js";
import { isStale } from "../../graph/status/status.js";
import type { Decision } from "../../store/store.js";
import { act, type Context } from "../context.js";
import { resolve } from "../resolve.js";
import { completeByPerson } from "./complete-by-person.js";
import { renewClaim } from "./renew.js";

export interface CompleteInput {
  readonly reference: string;
  readonly token?: string;
  readonly created?: readonly string[];
  readonly modified?: readonly string[];
  readonly signal?: AbortSignal;
  onCheck?(check: Check): void;
}

export interface Completion {
  readonly id: string;
  readonly op: number | null;
  /** `pending`: there were no checks, and a person has to accept it. */
  readonly acceptance: "accepted" | "rejected" | "pending";
  readonly checks: readonly CheckResult[];
  readonly durationMs: number | null;
}

export async function complete(context: Context, input: CompleteInput): Promise<Result<Completion>> {
  const begun = await begin(context, input);
  if (!begun.ok) return begun;
  if ("completion" in begun.value) return ok(begun.value.completion);
  const { node } = begun.value;
  if (node.kind === "gate" || node.kind === "land") return completeByPerson(context, node);
  const claim = mayHandIn(context, node, input.token);
  if (!claim.ok) return claim;
  const checks = await runWithLease(context, node, claim.value, input);
  return record(context, node, claim.value, checks, input);
}

type Begun = { readonly completion: Completion } | { readonly node: Node };

/** A task without checks is handed in at once, in one transaction; every other is only looked up. */
async function begin(context: Context, input: CompleteInput): Promise<Result<Begun>> {
  const committed = await act<Begun>(context, "complete", async (writer, at) => {
    const found = await resolve(writer, input.reference, context.actor);
    if (!found.ok) return found;
    const node = found.value;
    if (node.kind === "gate" || node.kind === "land" || node.checks.length > 0) {
      return ok({ sentence: "", changes: [], value: { node } });
    }
    const claim = mayHandIn(context, node, input.token);
    if (!claim.ok) return claim;
    const { value: completion, ...decision } = settled(context, node, claim.value, [], input, { at, op: writer.op });
    return ok({ ...decision, value: { completion } });
  });
  return committed.ok ? ok(committed.value.value) : committed;
}

function mayHandIn(context: Context, node: Node, token: string | undefined): Result<Claim> {
  if (node.outcome !== null) return refused("settled", `${node.id} is ${node.outcome.kind} already.`);
  if (node.tier !== "task") {
    return refused("container", `${node.id} is a ${node.tier}: it is done when everything in it is.`, {
      next: [step("status", { reference: node.id })],
    });
  }
  const claim = requireClaim(node, context.actor, token);
  if (!claim.ok || !isStale(node)) return claim;
  const message = `${node.id} was changed after it was approved, so a person has to approve it again. You keep your claim.`;
  return refused("approval-stale", message, { next: [step("approve", { references: [node.id] })] });
}

async function runWithLease(context: Context, node: Node, claim: Claim, input: CompleteInput): Promise<CheckResult[]> {
  const leaseMs = claim.until - claim.at;
  const held = { reference: node.id, token: claim.token, leaseMinutes: leaseMs / 60_000 };
  // Loaded only when there is a check to run: it would double the time of handing in.
  const { runChecks } = await import("../../checks/run-checks.js");
  const env = await context.commandEnvironment();
  // A renewal that fails decides nothing: whether the claim still stands is asked again at the end.
  const renewal = setInterval(() => void renewClaim(context, held).catch(() => undefined), leaseMs / 3);
  try {
    return await runChecks(node.checks, {
      cwd: context.cwd,
      timeoutS: context.settings.checkTimeoutS,
      env,
      ...(input.signal ? { signal: input.signal } : {}),
      onStart: (check) => input.onCheck?.(check),
    });
  } finally {
    clearInterval(renewal);
  }
}

async function record(
  context: Context,
  before: Node,
  held: Claim,
  checks: readonly CheckResult[],
  input: CompleteInput,
): Promise<Result<Completion>> {
  const committed = await act<Completion>(context, "complete", async (writer, at) => {
    const node = (await writer.node(before.nr)) ?? before;
    const claim = mayHandIn(context, node, held.token);
    if (!claim.ok) return claim;
    if (JSON.stringify(node.checks) !== JSON.stringify(before.checks)) {
      return refused("checks-changed", `The checks of ${node.id} were changed while they ran. Hand it in again.`, {
        next: [step("complete", { reference: node.id })],
      });
    }
    return ok(settled(context, node, claim.value, checks, input, { at, op: writer.op }));
  });
  return committed.ok ? ok(committed.value.value) : committed;
}

function settled(
  context: Context,
  node: Node,
  claim: Claim,
  checks: readonly CheckResult[],
  { created = [], modified = [] }: CompleteInput,
  { at, op }: { readonly at: number; readonly op: number },
): Decision<Completion> {
  const report = { checks, commit: context.head(), created, modified };
  const patch = handIn(claim, { by: context.actor, at, op }, report);
  const acceptance = patch.acceptance?.state ?? "pending";
  const value = { id: node.id, op, acceptance, checks, durationMs: at - claim.at };
  return { sentence: sentences[acceptance](node.id, context.actor), changes: changeNode(node, patch), value };
}

const sentences = {
  accepted: (id: string, actor: string) => `${id} is done by ${actor}: its checks passed`,
  rejected: (id: string, actor: string) => `${id} by ${actor} was rejected by its checks`,
  pending: (id: string, actor: string) => `${actor} handed in ${id}, which has no checks`,
} as const;
