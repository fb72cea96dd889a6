// Judges a change set, the same for every worker: exactly the commit is held against the constraints, checked, proven and reviewed.
// The verdict is a value. Nothing ends here and no branch moves: `ending/settle.ts` acts on it.

import type { ChangeCommit } from "../../machine/git/change-set.js";
import { contains } from "../../machine/git/merge.js";
import { shortName } from "../../machine/git/refs.js";
import { isPerson } from "../../model/actor.js";
import { type AttemptUsage, addUsage, type ChangeSet } from "../../model/attempt/attempt.js";
import type { ChangeScope } from "../../model/attempt/change-scope.js";
import { hasFailed } from "../../model/attempt/proof-strength.js";
import type { CheckResult } from "../../model/node/node.js";
import type { NewQuestion } from "../../plan/question/raise.js";
import { describeFailedChecks, enterState, type LiveAttempt, noteForNextState } from "../attempt/attempt-state.js";
import type { EngineServices, Reviewer } from "../services.js";
import { reviewRecord } from "../workers/reviewer.js";
import { type AttemptWorktree, bundleTextOf, type Trial } from "../worktree/attempt-worktree.js";
import { runAttemptChecks } from "./attempt-checks.js";
import { aboutScope, type Doubts, doubtsAbout } from "./doubts.js";
import { markFlaky, proveChange } from "./prove-change.js";
import { outsideWords, scopeChange } from "./scope-change.js";

/** The checks passed and nothing is in doubt. `earlier`: the commit of this task that is on the branch already. */
export interface AcceptedChange {
  readonly verdict: "accepted";
  readonly checks: readonly CheckResult[];
  readonly earlier: string | null;
}

/** A person has to accept it. */
export interface Pending {
  readonly verdict: "pending";
  readonly checks: readonly CheckResult[];
  readonly why: string;
  /** What the person is asked, if there is more to decide than whether to accept it. */
  readonly question: NewQuestion | null;
}

/** It ends here, whatever its worker could still fix. */
export interface Rejected {
  readonly verdict: "rejected";
  readonly wrong: string;
  readonly checks: readonly CheckResult[];
  readonly isOverBudget?: boolean;
}

/** Something is wrong that the worker can fix. Without `checks`, none of them had the last word. */
export interface Retry {
  readonly verdict: "retry";
  /** As the worker reads it. */
  readonly wrong: string;
  readonly checks?: readonly CheckResult[];
}

export type Judgement = AcceptedChange | Pending | Rejected | Retry;

const retry = (wrong: string, checks?: readonly CheckResult[]): Retry => ({
  verdict: "retry",
  wrong,
  ...(checks && { checks }),
});

const pending = (checks: readonly CheckResult[], why: string, question: NewQuestion | null = null): Pending => ({
  verdict: "pending",
  checks,
  why,
  question,
});

export async function judgeWithinLimits(trial: Trial, committed: ChangeCommit): Promise<Judgement> {
  const wrong = overLimit(trial.services, trial.live.attempt.usage);
  if (wrong !== null) return { verdict: "rejected", wrong, checks: [], isOverBudget: true };
  return judge(trial, committed);
}

/** Which limit of the attempt was exceeded, as a message; null if none was. */
function overLimit({ policy }: EngineServices, { inputTokens, outputTokens, costUsd }: AttemptUsage): string | null {
  const tokens = inputTokens + outputTokens;
  if (policy.attemptTokens !== null && tokens > policy.attemptTokens) {
    return `it used ${tokens} tokens; an attempt may use ${policy.attemptTokens}`;
  }
  if (policy.attemptCostUsd !== null && (costUsd ?? 0) > policy.attemptCostUsd) {
    return `it cost $${(costUsd ?? 0).toFixed(2)}; an attempt may cost $${policy.attemptCostUsd.toFixed(2)}`;
  }
  return null;
}

export const cannotTake = ({ problem }: { readonly problem: string }): Retry =>
  retry(`Your change cannot be taken as it is: ${problem}`);

const INSIDE: ChangeScope = { outside: [], protectedFiles: [], steering: [], tests: [] };
const NOTHING: ChangeSet = { created: [], modified: [], deleted: [] };

/** Judges a change by its commit: the worker's worktree and what else is in it have no say. */
export async function judge(trial: Trial, committed: ChangeCommit): Promise<Judgement> {
  const { services, live, tree, signal } = trial;
  if ("problem" in committed) return cannotTake(committed);
  const change = "commit" in committed ? committed : null;
  const tip = change?.commit ?? null;
  noteForNextState(live, { tip, changes: change?.changes ?? NOTHING });
  const scope = change === null ? INSIDE : await scopeChange(trial, change);
  if ("wrong" in scope) return retry(scope.wrong);
  const { outside, protectedFiles } = scope;
  const noted = { ...(outside.length > 0 && { outside }), ...(protectedFiles.length > 0 && { protectedFiles }) };
  await enterState(services, live, { to: "checking", patch: noted });
  const ran = await runAttemptChecks(trial, tip ?? tree.base);
  // Checks that were stopped say nothing about the work.
  if (signal.aborted) return retry(describeFailedChecks(ran), ran);
  const checks = change === null ? ran : markFlaky(services, live, change.tree, ran);
  if (checks.some(hasFailed)) return retry(describeFailedChecks(checks), checks);
  if (change === null) return weigh(trial, { reasons: [], judge: null, checks });
  const strong = await proveChange(trial, change, scope, checks);
  return weigh(trial, await doubtsAbout(trial, { ...scope, tip: change.commit, checks: strong }));
}

const UNREVIEWED = "its checks passed, but no review was finished";

/** The checks passed: what a review and the doubts make of it. */
async function weigh(trial: Trial, { reasons, judge: did, checks }: Doubts): Promise<Judgement> {
  const { live } = trial;
  const { task } = live;
  const { tip } = live.attempt;
  const reviewed = await reviewAttempt(trial);
  if ("missing" in reviewed) return pending(checks, `${UNREVIEWED}: ${reviewed.missing}`);
  if (reviewed.wrong !== null) return retry(reviewed.wrong, checks);
  if (task.kind === "review" && tip !== null) {
    return retry("This task only looks: it must change nothing. Take your changes back, and say what you found.");
  }
  if (tip === null && task.kind === "work") return judgeUnchanged(trial, checks);
  if (task.checks.length === 0) return withoutChecks(trial, reasons, did);
  if (reasons.length === 0) return { verdict: "accepted", checks, earlier: null };
  const why = reasons.join(" ");
  return pending(checks, why, aboutScope(live, did, why));
}

/** Nothing but a person's look proves it, so the person is told all that is odd about the change. */
function withoutChecks({ live }: Trial, reasons: readonly string[], did: string | null): Judgement {
  const { outside = [] } = live.attempt;
  const words = outside.length === 0 ? [] : [outsideWords(outside)];
  const odd = [...new Set([...words, ...reasons])];
  if (odd.length === 0) return pending([], "it has no checks");
  const why = `it has no checks. ${odd.join(" ")}`;
  return pending([], why, aboutScope(live, did ?? (outside.length > 0 ? UNCHECKED : null), why));
}

const UNCHECKED = "has no checks, and changed files outside of its footprint";

type EarlierWork = Awaited<ReturnType<typeof earlierWork>>;

/** Nothing was changed. If you hand in your own task again, its earlier commit counts, because its checks pass on the branch. */
async function judgeUnchanged(trial: Trial, checks: readonly CheckResult[]): Promise<Judgement> {
  const { live, tree } = trial;
  const earlier = await earlierWork(trial);
  if (earlier === null || checks.length === 0 || !isPerson(live.task.claim?.by ?? "")) {
    return pending(checks, whyNothing(earlier, tree));
  }
  const proven = checks.map((check) => ({ ...earlier.checks.find(({ run }) => run === check.run), ...check }));
  return { verdict: "accepted", checks: proven, earlier: earlier.merged };
}

/** After an undo or a reset, the earlier work of the task is still on the branch. */
async function earlierWork({ services, live: { key, task }, tree }: Trial) {
  const query = { owner: String(task.nr), newest: true };
  for (const each of await services.context.store.read((reader) => reader.items("attempt", query))) {
    const { merged, checks } = each.fields;
    const isOther = each.key !== key && merged !== null;
    if (isOther && (await contains(tree.root, tree.base, merged))) return { key: each.key, merged, checks };
  }
  return null;
}

function whyNothing(earlier: EarlierWork, tree: AttemptWorktree): string {
  if (earlier === null) return "nothing was changed, so there is nothing that the checks could prove";
  const commit = `its earlier commit ${earlier.merged.slice(0, 10)} (${earlier.key})`;
  return `nothing was changed since; ${commit} is still on ${shortName(tree.feature)}, and the checks pass there`;
}

/** `missing`: why there was no review. */
type ReviewOutcome = { readonly wrong: string | null } | { readonly missing: string };

const NO_FINDINGS: ReviewOutcome = { wrong: null };

async function reviewAttempt({ services, live, tree, signal }: Trial): Promise<ReviewOutcome> {
  const { tip } = live.attempt;
  const reviewer = tip === null ? null : await reviewerOf(services, live);
  if (tip === null || reviewer === null) return NO_FINDINGS;
  await enterState(services, live, { to: "reviewing" });
  const bundle = await bundleTextOf(services, live);
  const timeoutMs = services.policy.attemptMinutes * 60_000;
  const answer = await reviewer.review({
    ...(await tree.forReviewer()),
    base: tree.base,
    tip,
    bundle,
    timeoutMs,
    signal,
  });
  const review = reviewRecord(reviewer, answer, services.context.now(), services.redact);
  const usage = addUsage(live.attempt.usage, answer.usage);
  const patch = { usage, reviews: [...(live.attempt.reviews ?? []), review] };
  await enterState(services, live, { to: "reviewing", patch });
  // A review that was stopped must not let the work through.
  if (signal.aborted) throw new Error("stopped during its review");
  await tree.putOnto(tip);
  if (review.missing !== null) return { missing: review.missing };
  return { wrong: answer.wrong === null ? null : services.redact(answer.wrong) };
}

/** No agent reviews the work of a person. */
async function reviewerOf(services: EngineServices, { task, attempt }: LiveAttempt): Promise<Reviewer | null> {
  if (!services.policy.review || task.kind !== "work" || isPerson(attempt.by)) return null;
  return services.reviewerFor(task);
}
