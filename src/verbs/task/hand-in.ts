// A worker hands a task in, and the checks decide. In a repository the engine judges the change. Without git the checks run in the
// workspace, outside of any transaction, and count only if claim and checks are still the same then.

import type { Completion, HandInInput } from "../../engine/hand-work/hand-in.js";
import { hasFailed } from "../../model/attempt/proof.js";
import { step } from "../../model/next-step.js";
import type { CheckResult, Claim, Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused, usage } from "../../model/result.js";
import { requireClaim } from "../../model/rules/claim.js";
import { handIn } from "../../model/rules/task-outcome.js";
import { isStale } from "../../model/status/stale.js";
import { act, type Context } from "../../plan/base/context.js";
import { resolve } from "../../plan/base/resolve.js";
import { claimNotes, noteFailure, noteSpending, type Spending } from "../../plan/claim/claim-notes.js";
import { renewHeld } from "../../plan/claim/renew.js";
import { requireHeld } from "../../plan/claim/token.js";
import { requireIntact } from "../../plan/node/require-intact.js";
import { hasLostRepository } from "../../plan/repository/main-branch.js";
import type { Decision, Writer } from "../../store/store.js";
import type { Session } from "../kit/session.js";
import type { Execution } from "../services/execution.js";
import { completeByPerson, UNVERSIONED } from "./complete-by-person.js";

/** The plan, who watches, and in a repository what judges a change there. */
export interface HandInSession extends Context, Partial<Pick<Session, "signal" | "emit">> {
  engines?(): Promise<{ execution(): Result<Pick<Execution, "services" | "contain">> }>;
}

export interface CompleteInput {
  readonly reference: string;
  readonly token?: string;
  readonly created?: readonly string[];
  readonly modified?: readonly string[];
  /** Files that were changed before the claim and belong to the task. */
  readonly include?: readonly string[];
  /** What the worker used for the task in all. */
  readonly tokens?: number;
  readonly cost?: number;
}

export async function complete(session: HandInSession, input: CompleteInput): Promise<Result<Completion>> {
  const found = await find(session, input.reference);
  if (!found.ok) return found;
  const node = found.value;
  if (node.kind === "gate" || node.kind === "land") {
    return saidSpending(input, 0) ? noSpending(node) : completeByPerson(session, node);
  }
  const claim = mayHandIn(node, () => requireHeld(session, node, input.token));
  if (!claim.ok) return claim;
  if (session.head() !== null) return judgeInGit(session, { ...input, node, claim: claim.value });
  const checks = await runInWorkspace(session, node, claim.value);
  return checks.ok ? record(session, node, claim.value, checks.value, input) : checks;
}

/** Runs the checks without handing in. */
export async function checkTask(
  session: HandInSession,
  { reference, token, include }: Pick<CompleteInput, "reference" | "token" | "include">,
): Promise<Result<Completion>> {
  const found = await find(session, reference);
  if (!found.ok) return found;
  const node = found.value;
  const claim = mayHandIn(node, () => requireHeld(session, node, token));
  if (!claim.ok) return claim;
  if (session.head() !== null) {
    return judgeInGit(session, { node, claim: claim.value, ...(include && { include }), rehearse: true });
  }
  const checks = await runInWorkspace(session, node, claim.value);
  if (!checks.ok) return checks;
  return ok({ ...UNVERSIONED, id: node.id, op: null, acceptance: "open", checks: checks.value, durationMs: null });
}

const find = (context: Context, reference: string): Promise<Result<Node>> =>
  context.store.read(async (reader) => {
    const named = await resolve(reader, reference, context.actor);
    const intact = named.ok ? await requireIntact(reader, [named.value]) : named;
    return intact.ok ? named : intact;
  });

/** The engine is loaded only here: judging a change needs all of it. */
async function judgeInGit(session: HandInSession, input: HandInInput): Promise<Result<Completion>> {
  const [{ handInCheckout }, { asAsker }] = await Promise.all([
    import("../../engine/hand-work/hand-in.js"),
    import("../execution/engine-access.js"),
  ]);
  const execution = (await session.engines?.())?.execution();
  if (!execution) throw new Error("A change in git is handed in with an engine that judges it.");
  if (!execution.ok) return execution;
  const { contain } = execution.value;
  const signal = session.signal ?? new AbortController().signal;
  return contain(() => handInCheckout(asAsker(session, execution.value), input, signal));
}

/** Undefined if the worker said nothing. In a repository the attempt holds it. */
const saidSpending = ({ tokens, cost }: CompleteInput, at: number): Spending | undefined =>
  tokens === undefined && cost === undefined ? undefined : { tokens: tokens ?? 0, costUsd: cost ?? 0, at };

const noSpending = ({ id, kind }: Node): Result<never> =>
  usage("no-spending", `${id} is a ${kind} task, which no agent does. Leave tokens and cost out.`, {
    next: [step("complete", { reference: id })],
  });

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

/** Without git. A task that was claimed at a commit, or whose plan was made in a repository, is not handed in without it. */
async function runInWorkspace(session: HandInSession, node: Node, claim: Claim): Promise<Result<CheckResult[]>> {
  const without = await requireNoRepository(session, node);
  if (!without.ok) return without;
  if (node.checks.length === 0) return ok([]);
  const leaseMs = claim.until - claim.at;
  const held = { reference: node.id, leaseMinutes: leaseMs / 60_000 };
  // Loaded only when there is a check to run: it would double the time of handing in.
  const { runChecks } = await import("../../machine/checks/run-checks.js");
  const env = await session.commandEnvironment();
  // A renewal that fails decides nothing: whether the claim still stands is asked again at the end.
  const renewal = setInterval(() => void renewHeld(session, held, claim.token).catch(() => undefined), leaseMs / 3);
  try {
    const ran = await runChecks(node.checks, {
      // Always the workspace: what passes elsewhere proves nothing about this project.
      cwd: session.root,
      timeoutS: session.settings.checkTimeoutS,
      env,
      ...(session.signal && { signal: session.signal }),
      onStart: (check) => session.emit?.({ kind: "check", check }),
    });
    return ok(ran);
  } finally {
    clearInterval(renewal);
  }
}

/** Nothing shows what changed if the repository is gone, and hiding it would skip every protection. */
async function requireNoRepository({ root, store }: Context, { nr, id }: Node): Promise<Result<undefined>> {
  const checkout = (await store.read((reader) => claimNotes(reader, nr)))?.checkout ?? null;
  if (checkout === null && !hasLostRepository(root)) return ok(undefined);
  const began = checkout === null ? "This plan was made" : `${id} was claimed at ${checkout.head.slice(0, 12)}`;
  return refused(
    "repository-gone",
    `${began} in a git repository, which is not here now, so nothing shows what changed. Put it back and hand in again. You keep your claim. Without the repository, a person can accept the task with a reason.`,
    { details: { id, checkout }, next: [step("complete", { reference: id })] },
  );
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
    if (decision.value.acceptance === "rejected") {
      return ok(await keepOrPark(context, writer, node, decision, { fixes, at, said }));
    }
    const spent = said === undefined ? [] : await noteSpending(writer, node, said);
    return ok({ ...decision, changes: [...decision.changes, ...spent] });
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

/** Checks failed: the claim stays while the worker may fix it, then the task is rejected (`rejected`) and you are asked. */
async function keepOrPark(
  { actor }: Context,
  writer: Writer,
  node: Node,
  rejected: Decision<Completion>,
  { fixes, at, said }: { readonly fixes: number; readonly at: number; readonly said: Spending | undefined },
): Promise<Decision<Completion>> {
  const { failed, changes } = await noteFailure(writer, node, said);
  const wrong = rejected.value.checks.find(hasFailed);
  const reason = wrong ? `${wrong.run}: ${wrong.outcome}` : "its checks failed";
  if (failed <= fixes) {
    const value: Completion = { ...rejected.value, acceptance: "open", note: reason, fixesLeft: fixes - failed };
    return { sentence: `${actor} handed in ${node.id}, and its checks failed: ${reason}`, changes, value };
  }
  const { askAboutRejected } = await import("../../plan/question/ask-about-rejected.js");
  const asked = await askAboutRejected(writer, node, { class: "logic", reason, attempt: null }, { by: actor, at });
  return {
    ...rejected,
    changes: [...rejected.changes, ...changes, ...asked],
    value: { ...rejected.value, note: reason },
  };
}
