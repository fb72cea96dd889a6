// A worker hands a task in, and the checks decide. In a repository the engine judges the change. Without git the checks run in the
// workspace, outside of any transaction, and count only if claim and checks are still the same then.

import type { Completion, HandInInput } from "../../engine/hand-work/hand-in.js";
import { isPerson } from "../../model/actor.js";
import { hasFailed } from "../../model/attempt/proof-strength.js";
import type { CheckResult, Claim, Node, Report } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { requireClaim } from "../../model/rules/claim.js";
import { acceptPatch, handIn, type Settling } from "../../model/rules/task-outcome.js";
import { phraseOf } from "../../model/status/hold-phrase.js";
import { holdsCompletion } from "../../model/status/holds.js";
import { HOLD_WORDS, stepsToFree } from "../../model/status/landing.js";
import { isStale } from "../../model/status/stale-approval.js";
import { withArticle } from "../../model/words.js";
import { resolve } from "../../plan/base/resolve.js";
import { claimNotes, noteFailure, noteSpending, type Spending } from "../../plan/claim/claim-notes.js";
import { renewHeld, requireHeld } from "../../plan/claim/token.js";
import { requireIntact } from "../../plan/node/require-intact.js";
import { hasLostRepository } from "../../plan/repository/main-branch.js";
import type { Decision, Reader, Writer } from "../../store/store.js";
import type { Execution, Session } from "../kit/session.js";
import { actWithNumber, type Context, type InputOf, ok, type Result, refused, step, usage } from "../kit/verb.js";

/** The plan, who watches, and in a repository what judges a change there. */
export interface HandInSession extends Context, Partial<Pick<Session, "signal" | "emit">> {
  engines?(): Promise<{ execution(): Promise<Pick<Execution, "services" | "contain">> }>;
}

type CompleteInput = Readonly<InputOf<"complete">>;

export async function complete(session: HandInSession, input: CompleteInput): Promise<Result<Completion>> {
  const found = await find(session, input.reference);
  if (!found.ok) return found;
  const node = found.value;
  if (node.kind === "gate" || node.kind === "land") {
    if (!saidSpending(input, 0)) return completeByPerson(session, node);
    const message = `${node.id} is a ${node.kind} task, which no agent does. Leave tokens and cost out.`;
    return usage("no-spending", message, { next: [step("complete", { reference: node.id })] });
  }
  const claim = mayHandIn(node, () => requireHeld(session, node, input.token));
  if (!claim.ok) return claim;
  if (session.head() !== null) return judgeInGit(session, { ...input, node, claim: claim.value });
  const checks = await runInWorkspace(session, node, claim.value);
  return checks.ok ? record(session, node, claim.value, checks.value, input) : checks;
}

export async function checkTask(
  session: HandInSession,
  { reference, token, include, only }: Pick<CompleteInput, "reference" | "token" | "include" | "only">,
): Promise<Result<Completion>> {
  const found = await find(session, reference);
  if (!found.ok) return found;
  const node = found.value;
  const claim = mayHandIn(node, () => requireHeld(session, node, token));
  if (!claim.ok) return claim;
  if (session.head() !== null) {
    return judgeInGit(session, { node, claim: claim.value, include, only, rehearse: true });
  }
  const checks = await runInWorkspace(session, node, claim.value);
  if (!checks.ok) return checks;
  return ok({ ...UNVERSIONED, id: node.id, op: null, acceptance: "open", checks: checks.value, durationMs: null });
}

const find = (context: Context, reference: string): Promise<Result<Node>> =>
  context.store.read(async (reader) => {
    const named = await resolve(reader, reference, context);
    const intact = named.ok ? await requireIntact(reader, [named.value]) : named;
    return intact.ok ? named : intact;
  });

/** The engine is loaded only here: judging a change needs all of it. */
async function judgeInGit(session: HandInSession, input: HandInInput): Promise<Result<Completion>> {
  const [{ handInCheckout }, { asAsker }] = await Promise.all([
    import("../../engine/hand-work/hand-in.js"),
    import("../execution/engine-access.js"),
  ]);
  const execution = await (await session.engines?.())?.execution();
  if (!execution) throw new Error("A change in git is handed in with an engine that judges it.");
  const signal = session.signal ?? new AbortController().signal;
  return execution.contain(() => handInCheckout(asAsker(session, execution), input, signal));
}

/** Undefined if the worker said nothing. In a repository the attempt holds it. */
const saidSpending = ({ tokens, cost }: CompleteInput, at: number): Spending | undefined =>
  tokens === undefined && cost === undefined ? undefined : { tokens: tokens ?? 0, costUsd: cost ?? 0, at };

function mayHandIn(node: Node, held: () => Result<Claim>): Result<Claim> {
  if (node.outcome !== null) return refused("settled", `${node.id} is ${node.outcome.kind} already.`);
  if (node.tier !== "task") {
    const message = `${node.id} is ${withArticle(node.tier)}: it is done when everything in it is.`;
    return refused("container", message, { next: [step("status", { reference: node.id })] });
  }
  if (node.claim === null && node.acceptance?.state === "pending") {
    const why = node.acceptance.reason ? `: ${node.acceptance.reason.replace(/(?<![.\s])[.\s]*$/, "")}` : "";
    return refused("pending", `${node.id} was handed in already, and a person has to accept it${why}.`, {
      next: [step("why", { reference: node.id })],
    });
  }
  const claim = held();
  if (!claim.ok || !isStale(node)) return claim;
  const message = `${node.id} was changed after it was approved, so a person has to approve it again. You keep your claim.`;
  return refused("approval-stale", message, { next: [step("approve", { references: [node.id] })] });
}

async function runInWorkspace(session: HandInSession, node: Node, claim: Claim): Promise<Result<CheckResult[]>> {
  const without = await requireNoRepository(session, node);
  if (!without.ok) return without;
  if (node.checks.length === 0) return ok([]);
  const leaseMs = claim.until - claim.at;
  const held = { reference: node.id, leaseMinutes: leaseMs / 60_000 };
  // Loaded only when there is a check to run: it would double the time of handing in.
  const { runChecks } = await import("../../machine/checks/run-checks.js");
  const env = await session.commandEnvironment(session.actor);
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
  return actWithNumber<CompletionFacts>(context, "complete", async (writer, at) => {
    const node = (await writer.node(before.nr)) ?? before;
    const claim = mayHandIn(node, () => requireClaim(node, context.actor, held.token));
    if (!claim.ok) return claim;
    if (JSON.stringify(node.checks) !== JSON.stringify(before.checks)) {
      const message = `The checks of ${node.id} were changed while they ran. Hand it in again.`;
      return refused("checks-changed", message, { next: [step("complete", { reference: node.id })] });
    }
    const decision = settled(node, claim.value, checks, input, { by: context.actor, at, op: writer.op });
    const said = saidSpending(input, at);
    if (decision.value.acceptance === "rejected") {
      return ok(await keepOrPark(context, writer, node, decision, { fixes, at, said }));
    }
    const spent = said === undefined ? [] : await noteSpending(writer, node, said);
    return ok({ ...decision, changes: [...decision.changes, ...spent] });
  });
}

function settled(
  node: Node,
  claim: Claim,
  checks: readonly CheckResult[],
  { created = [], modified = [] }: CompleteInput,
  settling: Settling,
): Decision<CompletionFacts> {
  const { by, at } = settling;
  const patch = handIn(claim, settling, { checks, commit: null, created, modified });
  const acceptance = patch.acceptance?.state ?? "pending";
  const value: CompletionFacts = {
    ...UNVERSIONED,
    id: node.id,
    acceptance,
    checks,
    durationMs: at - claim.at,
    note: acceptance === "pending" ? "It has no checks." : "",
    proof: acceptance === "accepted" ? "unversioned" : null,
  };
  return { sentence: sentences[acceptance](node.id, by), changes: changeNode(node, patch), value };
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
  rejected: Decision<CompletionFacts>,
  { fixes, at, said }: { readonly fixes: number; readonly at: number; readonly said: Spending | undefined },
): Promise<Decision<CompletionFacts>> {
  const { failed, changes } = await noteFailure(writer, node, said);
  const wrong = rejected.value.checks.find(hasFailed);
  const reason = wrong ? `${wrong.run}: ${wrong.outcome}` : "its checks failed";
  if (failed <= fixes) {
    const value: CompletionFacts = { ...rejected.value, acceptance: "open", note: reason, fixesLeft: fixes - failed };
    return { sentence: `${actor} handed in ${node.id}, and its checks failed: ${reason}`, changes, value };
  }
  const { askAboutRejected } = await import("../../plan/question/raise.js");
  const about = { class: "logic", reason, attempt: null, checks: rejected.value.checks } as const;
  const asked = await askAboutRejected(writer, node, about, { by: actor, at });
  return {
    ...rejected,
    changes: [...rejected.changes, ...changes, ...asked],
    value: { ...rejected.value, note: reason },
  };
}

type CompletionFacts = Omit<Completion, "op">;

const UNVERSIONED = {
  commit: null,
  attempt: null,
  changes: null,
  leftAlone: [],
  begunBefore: [],
  question: null,
  note: "",
  proof: null,
  fixesLeft: null,
} satisfies Partial<Completion>;

/** Gates and land tasks, which only a person completes. A landing has to be proven. */
export async function completeByPerson(context: Context, seen: Node): Promise<Result<Completion>> {
  const { id, nr, kind } = seen;
  if (!isPerson(context.actor)) {
    const message = `Only a person can complete ${id}, which is a ${kind} task.`;
    return refused("needs-person", message, { next: [step("comment", { reference: id }, "text")] });
  }
  const before = await context.store.read((reader) => lookAt(reader, seen));
  if (!before.ok) return before;
  // Asking git is loaded when there is something to ask.
  const proof =
    kind === "land"
      ? await (await import("../../plan/claim/prove-landed.js")).proveLanded(context, seen)
      : ok({ sentence: null, commit: null });
  if (!proof.ok) return proof;
  const { sentence, commit } = proof.value;
  return actWithNumber<CompletionFacts>(context, "complete", async (writer, at) => {
    const node = (await writer.node(nr)) ?? seen;
    const now = await lookAt(writer, node);
    if (!now.ok) return now;
    // The proof was made of the feature as it was.
    if (now.value !== before.value) {
      const message = `The feature of ${id} was changed meanwhile. Complete it again.`;
      return refused("changed", message, { next: [step("complete", { reference: id })] });
    }
    const settling = { by: context.actor, at, op: writer.op };
    const changes = changeNode(node, { ...acceptPatch(settling, sentence), ...landedBy(settling, commit) });
    const settled = { acceptance: "accepted", checks: [], durationMs: null, note: sentence ?? "" } as const;
    return ok({ sentence: `${context.actor} completed ${id}`, changes, value: { ...UNVERSIONED, id, ...settled } });
  });
}

/** Keeps the commit that brought the feature onto main, so that it can be reverted. */
function landedBy({ by, at }: Settling, commit: string | null): { readonly report?: Report } {
  const rest = { created: [], modified: [], checks: [], failure: null };
  return commit === null ? {} : { report: { ...rest, by, at, startedAt: at, durationMs: 0, commit } };
}

async function lookAt(reader: Reader, node: Node): Promise<Result<string>> {
  if (node.outcome !== null) return refused("settled", `${node.id} is ${node.outcome.kind} already.`);
  const around = await reader.surroundings(node);
  const [first] = holdsCompletion(node, around, "person");
  if (first) {
    const held = around.landing.map(({ kind, id }) => ` ${HOLD_WORDS[kind](id)}`).join("");
    return refused(first.reason, `${node.id} cannot be completed yet: ${phraseOf(first)}.${held}`, {
      next: [step("why", { reference: node.id }), ...around.landing.slice(0, 1).flatMap(stepsToFree)],
      details: { id: node.id, reason: first.reason, because: first.because },
    });
  }
  const feature = node.feature === null ? undefined : await reader.node(node.feature);
  return ok(`${feature?.tasksFinished ?? 0} of ${feature?.tasksLive ?? 0}`);
}
