// A worker hands a task in, and the checks decide. In a repository, execution judges the change (see hand-in.ts there). Without
// git the checks run in the workspace, outside of any transaction, and count only if claim and checks are still the same then.

import type { ChangeSet } from "../../model/attempt/attempt.js";
import { hasFailed, type TaskProof } from "../../model/attempt/proof.js";
import { step } from "../../model/next-step.js";
import type { Check, CheckResult, Claim, Node } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused, usage } from "../../model/result.js";
import { requireClaim } from "../../model/rules/claim.js";
import { handIn } from "../../model/rules/task-outcome.js";
import { isStale } from "../../model/status/stale.js";
import type { Decision, Writer } from "../../store/store.js";
import { act, type Context } from "../base/context.js";
import { resolve } from "../base/resolve.js";
import { requireIntact } from "../node/require-intact.js";
import type { Spending } from "./claim-notes.js";
import { completeByPerson } from "./complete-by-person.js";
import { renewHeld } from "./renew.js";
import { requireNoRepository } from "./repository-gone.js";
import { requireHeld } from "./token.js";
import { UNVERSIONED } from "./unversioned.js";

export interface CompleteInput {
  readonly reference: string;
  readonly token?: string;
  readonly created?: readonly string[];
  readonly modified?: readonly string[];
  /** What the worker used for the task in all. */
  readonly tokens?: number;
  readonly cost?: number;
  readonly signal?: AbortSignal;
  onCheck?(check: Check): void;
}

export interface Completion {
  readonly id: string;
  readonly op: number | null;
  /** `open`: a check failed, and the claim stays. `pending`: a person has to accept it. */
  readonly acceptance: "accepted" | "rejected" | "pending" | "open";
  readonly checks: readonly CheckResult[];
  readonly durationMs: number | null;
  /** The commit on the feature's branch. Null: unversioned, or not accepted. */
  readonly commit: string | null;
  /** Null without git. */
  readonly attempt: string | null;
  readonly changes: ChangeSet | null;
  /** Files that differ in the checkout and are not part of the change. */
  readonly leftAlone: readonly string[];
  /** Those of them, or of the conflicts, that may belong to the task: they were changed before it was claimed. */
  readonly begunBefore: readonly string[];
  /** What is wrong, or why it waits. */
  readonly note: string;
  /** The question that a person has to answer, if there is one. */
  readonly question: string | null;
  /** What shows that it is done; null while it is not. */
  readonly proof: TaskProof["strength"] | null;
  /** How often it may still be handed in with failing checks. Null if that does not matter any more. */
  readonly fixesLeft: number | null;
}

/** A task whose change is in a checkout of a repository. */
export interface Unjudged {
  readonly node: Node;
  readonly claim: Claim;
}

/** Execution judges it; this folder lies below. */
export type Judge = (unjudged: Unjudged) => Promise<Result<Completion>>;

const cannotJudge: Judge = async ({ node: { id } }) =>
  refused("not-judged", `${id} can only be handed in through the application, which judges its change in git.`);

type Begun = { readonly completion: Completion } | { readonly node: Node };

export async function complete(
  context: Context,
  input: CompleteInput,
  judge: Judge = cannotJudge,
): Promise<Result<Completion>> {
  const begun = await begin(context, input);
  if (!begun.ok) return begun;
  if ("completion" in begun.value) return ok(begun.value.completion);
  const { node } = begun.value;
  if (node.kind === "gate" || node.kind === "land") {
    return saidSpending(input, 0) ? noSpending(node) : completeByPerson(context, node);
  }
  const claim = mayHandIn(node, () => requireHeld(context, node, input.token));
  if (!claim.ok) return claim;
  if (isVersioned(context)) return judge({ node, claim: claim.value });
  const without = await context.store.read((reader) => requireNoRepository(context, reader, node));
  if (!without.ok) return without;
  const checks = await runWithLease(context, node, claim.value, input);
  return record(context, node, claim.value, checks, input);
}

/** Runs the checks without handing in. */
export async function checkTask(
  context: Context,
  input: CompleteInput,
  judge: Judge = cannotJudge,
): Promise<Result<Completion>> {
  const found = await context.store.read(async (reader) => {
    const named = await resolve(reader, input.reference, context.actor);
    const intact = named.ok ? await requireIntact(reader, [named.value]) : named;
    return intact.ok ? named : intact;
  });
  if (!found.ok) return found;
  const node = found.value;
  const claim = mayHandIn(node, () => requireHeld(context, node, input.token));
  if (!claim.ok) return claim;
  if (isVersioned(context)) return judge({ node, claim: claim.value });
  const without = await context.store.read((reader) => requireNoRepository(context, reader, node));
  if (!without.ok) return without;
  const checks = await runWithLease(context, node, claim.value, input);
  return ok({ ...UNVERSIONED, id: node.id, op: null, acceptance: "open", checks, durationMs: null });
}

const isVersioned = (context: Context): boolean => context.head() !== null;

/** Without git, a task without checks is handed in at once, in one transaction; every other is only looked up. */
async function begin(context: Context, input: CompleteInput): Promise<Result<Begun>> {
  const committed = await act<Begun>(context, "complete", async (writer, at) => {
    const found = await resolve(writer, input.reference, context.actor);
    if (!found.ok) return found;
    const node = found.value;
    const intact = await requireIntact(writer, [node]);
    if (!intact.ok) return intact;
    if (node.kind === "gate" || node.kind === "land" || node.checks.length > 0 || isVersioned(context)) {
      return ok({ sentence: "", changes: [], value: { node } });
    }
    const claim = mayHandIn(node, () => requireHeld(context, node, input.token));
    if (!claim.ok) return claim;
    const without = await requireNoRepository(context, writer, node);
    if (!without.ok) return without;
    const { value: completion, ...decision } = settled(context, node, claim.value, [], input, { at, op: writer.op });
    const changes = [...decision.changes, ...(await spendingChanges(writer, node, saidSpending(input, at)))];
    return ok({ ...decision, changes, value: { completion } });
  });
  return committed.ok ? ok(committed.value.value) : committed;
}

/** Undefined if the worker said nothing. In a repository the attempt holds it. */
const saidSpending = ({ tokens, cost }: CompleteInput, at: number): Spending | undefined =>
  tokens === undefined && cost === undefined ? undefined : { tokens: tokens ?? 0, costUsd: cost ?? 0, at };

const noSpending = ({ id, kind }: Node): Result<never> =>
  usage("no-spending", `${id} is a ${kind} task, which no agent does. Leave tokens and cost out.`, {
    next: [step("complete", { reference: id })],
  });

async function spendingChanges(writer: Writer, node: Node, said: Spending | undefined): Promise<readonly Change[]> {
  if (said === undefined) return [];
  const { noteSpending } = await import("./claim-notes.js");
  return noteSpending(writer, node, said);
}

function mayHandIn(node: Node, held: () => Result<Claim>): Result<Claim> {
  if (node.outcome !== null) return refused("settled", `${node.id} is ${node.outcome.kind} already.`);
  if (node.tier !== "task") {
    return refused("container", `${node.id} is a ${node.tier}: it is done when everything in it is.`, {
      next: [step("status", { reference: node.id })],
    });
  }
  if (node.claim === null && node.acceptance?.state === "pending") return waitsForPerson(node);
  const claim = held();
  if (!claim.ok || !isStale(node)) return claim;
  const message = `${node.id} was changed after it was approved, so a person has to approve it again. You keep your claim.`;
  return refused("approval-stale", message, { next: [step("approve", { references: [node.id] })] });
}

function waitsForPerson({ id, acceptance }: Node): Result<never> {
  const why = acceptance?.reason ? `: ${acceptance.reason.replace(/[.\s]*$/, "")}` : "";
  return refused("pending", `${id} was handed in already, and a person has to accept it${why}.`, {
    next: [step("why", { reference: id })],
  });
}

async function runWithLease(context: Context, node: Node, claim: Claim, input: CompleteInput): Promise<CheckResult[]> {
  const leaseMs = claim.until - claim.at;
  const held = { reference: node.id, leaseMinutes: leaseMs / 60_000 };
  // Loaded only when there is a check to run: it would double the time of handing in.
  const { runChecks } = await import("../../machine/checks/run-checks.js");
  const env = await context.commandEnvironment();
  // A renewal that fails decides nothing: whether the claim still stands is asked again at the end.
  const renewal = setInterval(() => void renewHeld(context, held, claim.token).catch(() => undefined), leaseMs / 3);
  try {
    return await runChecks(node.checks, {
      // Always the workspace: what passes elsewhere proves nothing about this project.
      cwd: context.root,
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
  const { fixes } = checks.some(hasFailed) ? await context.engineLimits() : { fixes: 0 };
  const committed = await act<Completion>(context, "complete", async (writer, at) => {
    const node = (await writer.node(before.nr)) ?? before;
    const claim = mayHandIn(node, () => requireClaim(node, context.actor, held.token));
    if (!claim.ok) return claim;
    if (JSON.stringify(node.checks) !== JSON.stringify(before.checks)) {
      return refused("checks-changed", `The checks of ${node.id} were changed while they ran. Hand it in again.`, {
        next: [step("complete", { reference: node.id })],
      });
    }
    const decision = settled(context, node, claim.value, checks, input, { at, op: writer.op });
    const said = saidSpending(input, at);
    if (decision.value.acceptance !== "rejected") {
      return ok({ ...decision, changes: [...decision.changes, ...(await spendingChanges(writer, node, said))] });
    }
    const { keepOrPark } = await import("./failed-hand-in.js");
    return ok(await keepOrPark(context, writer, node, decision, { fixes, at, said }));
  });
  return committed.ok ? ok(committed.value.value) : committed;
}

function settled(
  context: Context,
  node: Node,
  claim: Claim,
  checks: readonly CheckResult[],
  { created = [], modified = [] }: CompleteInput,
  { at, op }: { readonly at: number; readonly op: Writer["op"] },
): Decision<Completion> {
  const report = { checks, commit: null, created, modified };
  const patch = handIn(claim, { by: context.actor, at, op }, report);
  const acceptance = patch.acceptance?.state ?? "pending";
  const value: Completion = {
    ...UNVERSIONED,
    id: node.id,
    op,
    acceptance,
    checks,
    durationMs: at - claim.at,
    note: acceptance === "pending" ? "It has no checks." : "",
    proof: acceptance === "accepted" ? "unversioned" : null,
  };
  return { sentence: sentences[acceptance](node.id, context.actor), changes: changeNode(node, patch), value };
}

const sentences = {
  accepted: (id: string, actor: string) => `${id} is done by ${actor}: its checks passed`,
  rejected: (id: string, actor: string) => `${id} by ${actor} was rejected by its checks`,
  pending: (id: string, actor: string) => `${actor} handed in ${id}, which has no checks`,
} as const;
