// Ends an attempt: accepted, pending, given back, rejected or failed. Unmerged work is saved before the end is recorded, so
// a process that is killed in between loses nothing and the next one can finish.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { snapshot } from "../../machine/git/change-set.js";
import { commitTree, contains, treeOf } from "../../machine/git/merge.js";
import { attemptBranch, keptRef, moveRefs, readRef } from "../../machine/git/refs.js";
import { type Attempt, type AttemptState, type SplitDraft, touchedBy } from "../../model/attempt/attempt.js";
import { weakProofWords } from "../../model/attempt/proof-strength.js";
import type { Clash } from "../../model/conflict/conflict.js";
import type { CheckResult, Node } from "../../model/node/node.js";
import { ok } from "../../model/result.js";
import { handIn } from "../../model/rules/task-outcome.js";
import { act, type Context } from "../../plan/base/context.js";
import { recordConflict } from "../../plan/conflict/record-conflict.js";
import { raise } from "../../plan/question/raise.js";
import { mustStayWhole, splitQuestion } from "../../plan/question/split-question.js";
import type { Reader } from "../../store/store.js";
import { enterState, type LiveAttempt } from "../attempt/attempt-state.js";
import type { Pending } from "../judgement/judge.js";
import type { EngineServices } from "../services.js";
import { outsideChangesOf } from "../watch/watch.js";
import { decideFailure, type FailureCause, parkedTask, triesAgain } from "./decide-failure.js";

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
      const acceptance = { state: "pending", by: settling.by, at: settling.at, reason: why } as const;
      return { ...handed, report: report && { ...report, checks }, acceptance };
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
    const stated = { class: "design", reason };
    return end(services, live, "failed", { ...cause, where: "worker", checks: [], stated });
  }
  const where = cause.ending === "conflict" ? "merge" : cause.ending === "broken" ? "surroundings" : "worker";
  await end(services, live, "failed", { ...cause, where, checks: [] });
  if (cause.ending !== "conflict") return;
  // Which task was in the way is recorded, so that a conflict that repeats goes to a person.
  const clash = await services.context.store.read(async (reader) => {
    const now = await reader.node(live.task.nr);
    return now && clashOfMerge(reader, now, cause.files ?? []);
  });
  if (clash) await recordConflicts(services.context, [clash]);
}

async function end(services: EngineServices, live: LiveAttempt, to: AttemptState, cause: FailureCause): Promise<void> {
  const kept = await keepWork(services.context, live.key, () => live.attempt);
  const considered = await decideFailure(services, live, cause);
  const { failure } = considered;
  const checks = cause.checks.length > 0 ? { checks: cause.checks } : {};
  await enterState(services, live, {
    to,
    patch: { kept, failure, note: considered.note, ...checks },
    settle: (claim, settling) =>
      triesAgain(failure) ? { claim: null, retries: 0 } : parkedTask(considered, claim, settling, cause.checks),
    also: (writer, node, at) => considered.ask(writer, node, at),
    sentence: `${live.key} of ${live.task.id} ${to === "rejected" ? "was rejected" : "failed"} (${failure.class}): ${considered.note}`,
  });
}

async function proposeSplit(services: EngineServices, live: LiveAttempt, split: SplitDraft): Promise<void> {
  const { context } = services;
  const kept = await keepWork(context, live.key, () => live.attempt);
  const { id, nr } = live.task;
  const commit = live.attempt.base ?? context.head();
  const reason = `a split into ${split.parts.length} was proposed by ${live.key}`;
  await enterState(services, live, {
    to: "released",
    patch: { kept, split, note: reason },
    settle: (_, { by, at }) => ({ claim: null, freeze: { reason, by, at, from: nr, commit } }),
    also: async (writer, _, at) =>
      (await raise(writer, splitQuestion(live.task, split, live.key), { by: context.actor, at })).changes,
    sentence: `${live.key} proposed to split ${id}`,
  });
}

/** Far enough back to find who changed a file on the feature's branch. */
const ATTEMPTS_SEARCHED = 200;

/** Records them with their consequences. Answers with the keys of those that hold a task back. */
export async function recordConflicts(context: Context, clashes: readonly Clash[]): Promise<string[]> {
  const keys: string[] = [];
  const commit = context.head();
  for (const clash of clashes) {
    const committed = await act<string | null>(context, "conflict", async (writer, at) => {
      const [first, second] = [await writer.node(clash.first.nr), await writer.node(clash.second.nr)];
      if (!first || !second || second.outcome !== null) return ok({ sentence: "", changes: [], value: null });
      const maker = { by: context.actor, at, commit };
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
  const accepted = await reader.items("attempt", { state: "accepted", newest: true, limit: ATTEMPTS_SEARCHED });
  for (const { fields } of accepted) {
    if (fields.feature !== task.feature || fields.task === task.nr || fields.changes === null) continue;
    if (!touchedBy(fields.changes).some((file) => wanted.has(file))) continue;
    const first = await reader.node(fields.task);
    if (first) return { layer: "merge", first, second: task, files, symbols: [] };
  }
  return undefined;
}

const TRIES = 3;

/**
 * Returns the ref; null if nothing was changed or the attempt never had a branch. `look` reads the attempt. With `judged`, only that
 * commit is kept, and not what came into the folder since.
 */
export async function keepWork(
  context: Context,
  key: string,
  look: () => Attempt | Promise<Attempt>,
  { judged = null }: { readonly judged?: string | null } = {},
): Promise<string | null> {
  const { root } = context;
  const branch = attemptBranch(key);
  let problem = "";
  for (let tried = 0; tried < TRIES; tried++) {
    const held = await readRef(root, branch);
    // Another process may have been faster.
    if (held === null) return (await readRef(root, keptRef(key))) === null ? null : keptRef(key);
    const attempt = await look();
    const work = await withCommits(root, judged ?? (await workOf(attempt, held)), held, attempt.base);
    const worth = work !== null && work !== attempt.base;
    const keeping = worth ? [{ ref: keptRef(key), to: work }] : [];
    const moved = await moveRefs(root, [{ ref: branch, from: held, to: null }, ...keeping]);
    if (moved.ok) return worth ? keptRef(key) : null;
    problem = moved.problem;
  }
  throw new Error(`what ${key} did could not be kept: ${problem}`);
}

/** The content of the worktree as a commit; if the folder is gone, the last commit. */
async function workOf({ state, worktree, branch, tip }: Attempt, held: string): Promise<string | null> {
  // Until the attempt is prepared, the folder may hold files of another attempt.
  const prepared = state !== "claimed" && branch !== null;
  const there = prepared && worktree !== null && existsSync(join(worktree, ".git"));
  const standing = there ? await snapshot(worktree, held) : null;
  if (standing === null || tip === null) return standing ?? tip ?? held;
  // If both have the same files, prefer the real commit, because its message names the attempt.
  return (await treeOf(worktree as string, standing)) === (await treeOf(worktree as string, tip)) ? tip : standing;
}

/** Keeps commits of the branch, too, if the worker moved HEAD elsewhere. */
async function withCommits(root: string, work: string | null, held: string, base: string | null) {
  if (work === null || held === base || held === work || (await contains(root, work, held))) return work;
  return commitTree(root, await treeOf(root, work), [work, held], "Everything that was left\n");
}
