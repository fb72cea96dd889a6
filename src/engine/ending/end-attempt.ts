// Ends an attempt: accepted, pending, given back, rejected or failed. Unmerged work is saved before the end is recorded, so
// a process that is killed in between loses nothing and the next one can finish.

import { type AttemptState, type SplitDraft, touchedBy } from "../../model/attempt/attempt.js";
import { weakProofWords } from "../../model/attempt/proof.js";
import type { Clash } from "../../model/conflict/conflict.js";
import type { CheckResult, Claim, Freeze, Node } from "../../model/node/node.js";
import { ok } from "../../model/result.js";
import { handIn, type Settling } from "../../model/rules/task-outcome.js";
import { act, type Context } from "../../plan/base/context.js";
import { recordConflict } from "../../plan/conflict/record-conflict.js";
import { raise } from "../../plan/question/raise.js";
import { mustStayWhole, splitQuestion } from "../../plan/question/split-question.js";
import type { Reader } from "../../store/store.js";
import { enterState, type LiveAttempt } from "../attempt/attempt-state.js";
import type { Pending } from "../judgement/judge.js";
import type { EngineServices } from "../services.js";
import { outsideChangesOf } from "../watch/watch.js";
import { decideFailure, type FailureCause, type FailureDecision, parkedTask } from "./decide-failure.js";
import { keepWork } from "./keep-work.js";

/** The checks passed, and the work is on the feature's branch. `merged` is null if no commit holds it. */
export async function endAccepted(
  services: EngineServices,
  live: LiveAttempt,
  checks: readonly CheckResult[],
  merged: string | null,
): Promise<void> {
  const { created, modified } = live.attempt.changes ?? { created: [], modified: [] };
  const proof = [...checks, ...live.attempt.mergedChecks];
  const weak = weakProofWords(proof);
  const passed = `its checks passed${weak === "" ? "" : ` (${weak})`}`;
  const note = merged === null ? passed : `${passed}; ${merged.slice(0, 10)} is on the feature's branch`;
  // After this, another attempt may get the worktree.
  if (live.attempt.tip === null) await keepWork(services.context, live.key, () => live.attempt);
  await enterState(services, live, {
    to: "accepted",
    verb: "complete",
    patch: { checks, note },
    settle: (claim, settling) => handIn(claim, settling, { checks: proof, commit: merged, created, modified }),
    sentence: `${live.task.id} is done by ${live.attempt.worker.name} (${live.key}): ${passed}`,
  });
}

/** Handed in, but a person has to accept it. */
export async function endPending(
  services: EngineServices,
  live: LiveAttempt,
  { checks, why, question }: Pick<Pending, "checks" | "why" | "question">,
): Promise<void> {
  // What a person accepts later goes onto the branch, so it must be exactly what was judged.
  const judged = live.attempt.tip ?? live.attempt.base;
  const kept = await keepWork(services.context, live.key, () => live.attempt, { judged });
  const { created, modified } = live.attempt.changes ?? { created: [], modified: [] };
  await enterState(services, live, {
    to: "pending",
    verb: "complete",
    patch: { checks, kept, note: why },
    settle: (claim, settling) => {
      const { report = null, ...handed } = handIn(claim, settling, { checks: [], commit: null, created, modified });
      return {
        ...handed,
        report: report && { ...report, checks },
        acceptance: { state: "pending", by: settling.by, at: settling.at, reason: why },
      };
    },
    also: async (writer, _, at) =>
      question === null ? [] : (await raise(writer, question, { by: services.context.actor, at })).changes,
    sentence: `${live.task.id} was handed in by ${live.attempt.worker.name} (${live.key}): ${why}`,
  });
}

/** Stopped from outside: frees the task without counting a failure, unless the worker changed files outside of its worktree. */
export async function endGivenBack(services: EngineServices, live: LiveAttempt, why: string): Promise<void> {
  const strayed = await outsideChangesOf(live);
  if (strayed.length > 0) return endFailed(services, live, { ending: "cancelled", output: strayed.join("\n") });
  const kept = await keepWork(services.context, live.key, () => live.attempt);
  await enterState(services, live, {
    to: "released",
    patch: { kept, note: why },
    settle: () => ({ claim: null }),
    sentence: `${live.key} gave ${live.task.id} back: ${why}`,
  });
}

export async function endRejected(
  services: EngineServices,
  live: LiveAttempt,
  wrong: string,
  checks: readonly CheckResult[],
  { park = false }: Pick<FailureCause, "park"> = {},
): Promise<void> {
  await end(services, live, "rejected", { where: "checks", ending: "done", output: wrong, checks, park });
}

export async function endFailed(
  services: EngineServices,
  live: LiveAttempt,
  cause: Omit<FailureCause, "checks" | "where">,
): Promise<void> {
  if (cause.split !== undefined) {
    if (!(await mustStayWhole(services.context, live.task))) return proposeSplit(services, live, cause.split);
    const reason = `a person decided that it is done in one piece, and its worker cannot: ${cause.split.why}`;
    return end(services, live, "failed", {
      ...cause,
      where: "worker",
      checks: [],
      stated: { class: "design", reason },
    });
  }
  const where = cause.ending === "conflict" ? "merge" : cause.ending === "broken" ? "surroundings" : "worker";
  await end(services, live, "failed", { ...cause, where, checks: [] });
  if (cause.ending === "conflict") await noteClash(services, live, cause.files ?? []);
}

/** Records which task was in the way, so that a conflict that repeats goes to a person. */
async function noteClash({ context }: EngineServices, { task }: LiveAttempt, files: readonly string[]): Promise<void> {
  const clash = await context.store.read(async (reader) => {
    const now = await reader.node(task.nr);
    return now && clashOfMerge(reader, now, files);
  });
  if (clash) await recordConflicts(context, [clash]);
}

async function end(services: EngineServices, live: LiveAttempt, to: AttemptState, cause: FailureCause): Promise<void> {
  const kept = await keepWork(services.context, live.key, () => live.attempt);
  const considered = await decideFailure(services, live, cause);
  const { failure } = considered;
  const checks = cause.checks.length > 0 ? { checks: cause.checks } : {};
  await enterState(services, live, {
    to,
    patch: { kept, failure, note: considered.note, ...checks },
    settle: (claim, settling) => settlementOf(considered, cause.checks, claim, settling),
    also: async (writer, node, at) => considered.ask(writer, node, at),
    sentence: `${live.key} of ${live.task.id} ${to === "rejected" ? "was rejected" : "failed"} (${failure.class}): ${considered.note}`,
  });
}

function settlementOf(
  considered: FailureDecision,
  checks: readonly CheckResult[],
  claim: Claim,
  settling: Settling,
): ReturnType<typeof parkedTask> {
  const { action } = considered.failure;
  if (action === "retry" || action === "retry-with-failure" || action === "arbitrate") {
    return { claim: null, retries: 0 };
  }
  return parkedTask(considered, claim, settling, checks);
}

async function proposeSplit(services: EngineServices, live: LiveAttempt, split: SplitDraft): Promise<void> {
  const { context } = services;
  const kept = await keepWork(context, live.key, () => live.attempt);
  const { id, nr } = live.task;
  const reason = `a split into ${split.parts.length} was proposed by ${live.key}`;
  await enterState(services, live, {
    to: "released",
    patch: { kept, split, note: reason },
    settle: (_, { by, at }) => {
      const freeze: Freeze = { reason, by, at, from: nr, commit: context.head() };
      return { claim: null, freeze };
    },
    also: async (writer, _, at) => {
      const asked = await raise(writer, splitQuestion(live.task, split, live.key), { by: context.actor, at });
      return [...asked.changes];
    },
    sentence: `${live.key} proposed to split ${id}`,
  });
}

/** Far enough back to find who changed a file on the feature's branch. */
const RECENT = 200;

/** Records them with their consequences. Answers with the keys of those that hold a task back. */
export async function recordConflicts(context: Context, clashes: readonly Clash[]): Promise<string[]> {
  const keys: string[] = [];
  for (const clash of clashes) {
    const committed = await act<string | null>(context, "conflict", async (writer, at) => {
      const [first, second] = [await writer.node(clash.first.nr), await writer.node(clash.second.nr)];
      if (!first || !second || second.outcome !== null) return ok({ sentence: "", changes: [], value: null });
      const maker = { by: context.actor, at, commit: context.head() };
      const { key, sentence, changes } = await recordConflict(writer, { ...clash, first, second }, maker);
      return ok({ sentence, changes, value: key });
    });
    if (committed.ok && committed.value.value !== null) keys.push(committed.value.value);
  }
  return keys;
}

/** Its work did not merge with the feature's branch: the task that changed these files last was first. */
export async function clashOfMerge(reader: Reader, task: Node, files: readonly string[]): Promise<Clash | undefined> {
  const wanted = new Set(files);
  const accepted = await reader.items("attempt", { state: "accepted", newest: true, limit: RECENT });
  for (const { fields } of accepted) {
    if (fields.feature !== task.feature || fields.task === task.nr || fields.changes === null) continue;
    if (!touchedBy(fields.changes).some((file) => wanted.has(file))) continue;
    const first = await reader.node(fields.task);
    if (first) return { layer: "merge", first, second: task, files, symbols: [] };
  }
  return undefined;
}
