// From a change set to acceptance, the same for every worker: commit exactly the change, run the checks on that commit, have it
// reviewed, put it on the feature's branch.

import type { ChangeCommit } from "../../machine/git/change-set.js";
import { contains } from "../../machine/git/merge.js";
import { shortName } from "../../machine/git/refs.js";
import { isPerson } from "../../model/actor.js";
import type { ChangeSet } from "../../model/attempt/attempt.js";
import type { ChangeScope } from "../../model/attempt/change-scope.js";
import { hasFailed } from "../../model/attempt/proof.js";
import type { CheckResult } from "../../model/node/node.js";
import { isStale } from "../../model/status/stale.js";
import { enterState, type LiveAttempt, noteForNextState, passState } from "../attempt/attempt-state.js";
import { describeFailedChecks } from "../attempt/check-report.js";
import { overLimit } from "../drive/watch-turn.js";
import { endAccepted, endFailed, endGivenBack, endPending, endRejected } from "../ending/end-attempt.js";
import type { EngineServices } from "../services.js";
import { ordersPlantedBy } from "../watch/watch.js";
import type { AttemptWorktree } from "../worktree/attempt-worktree.js";
import { restoreWorktree } from "../worktree/restore-worktree.js";
import { askAboutScope } from "./ask-about-scope.js";
import { runAttemptChecks } from "./attempt-checks.js";
import { type Doubts, doubtsAbout, noDoubts } from "./doubts.js";
import { integrate } from "./integrate-attempt.js";
import { markFlaky, proveChange } from "./prove-change.js";
import { reviewAttempt } from "./review-attempt.js";
import { scopeChange } from "./scope-change.js";

interface Proven {
  readonly tip: string | null;
  readonly changes: ChangeSet;
  /** Why a person has to look at it all the same, and the checks. */
  readonly doubts: Doubts;
}

/** What is wrong, as the worker reads it. */
export type Wrong = { readonly wrong: string; readonly checks?: readonly CheckResult[] };

/** `ended`: the attempt is over. `conflicts`: files that do not merge with the current feature branch. */
export type Judgement = "ended" | Wrong | { readonly conflicts: readonly string[] };

/** Judges a change, unless the attempt has used more than it may. */
export async function judgeAttempt(
  services: EngineServices,
  live: LiveAttempt,
  tree: AttemptWorktree,
  committed: ChangeCommit,
  signal: AbortSignal,
): Promise<Judgement> {
  const spent = overLimit(services, live.attempt.usage);
  if (spent !== null) {
    await endFailed(services, live, { ending: "over-budget", output: spent });
    return "ended";
  }
  return judgeChange(services, live, tree, committed, signal);
}

export const cannotTake = ({ problem }: { readonly problem: string }): Wrong => ({
  wrong: `Your change cannot be taken as it is: ${problem}`,
});

/** Judges a change whose commit is checked out in the worktree. */
export async function judgeChange(
  services: EngineServices,
  live: LiveAttempt,
  tree: AttemptWorktree,
  committed: ChangeCommit,
  signal: AbortSignal,
): Promise<Judgement> {
  if ("problem" in committed) return cannotTake(committed);
  const change = "commit" in committed ? committed : null;
  const proven = { tip: change?.commit ?? null, changes: change?.changes ?? NOTHING };
  noteForNextState(live, proven);
  const scope = change === null ? INSIDE : await scopeChange(services, live, tree, change);
  if ("wrong" in scope) return scope;
  const { outside, protectedFiles } = scope;
  const noted = { ...(outside.length > 0 && { outside }), ...(protectedFiles.length > 0 && { protectedFiles }) };
  await enterState(services, live, { to: "checking", patch: noted });
  const ran = await runAttemptChecks(services, live, tree, proven.tip ?? tree.base, signal);
  // Checks that were stopped say nothing about the work.
  if (signal.aborted) return { wrong: describeFailedChecks(ran), checks: ran };
  const checks = change === null ? ran : markFlaky(services, live, change.tree, ran);
  if (checks.some(hasFailed)) {
    await restoreWorktree(tree, proven.tip ?? tree.base);
    return { wrong: describeFailedChecks(checks), checks };
  }
  if (change === null) return conclude(services, live, tree, { ...proven, doubts: noDoubts(checks) }, signal);
  const known = { tip: change.commit, changes: change.changes };
  const strong = await proveChange(services, live, tree, { ...known, checks }, signal);
  const doubts = await doubtsAbout(services, live, tree, { ...scope, tip: change.commit, checks: strong }, signal);
  return conclude(services, live, tree, { ...known, doubts }, signal);
}

const INSIDE: ChangeScope = { outside: [], protectedFiles: [] };

const NOTHING: ChangeSet = { created: [], modified: [], deleted: [] };

async function conclude(
  services: EngineServices,
  live: LiveAttempt,
  tree: AttemptWorktree,
  { tip, doubts: { reasons, judge, checks } }: Proven,
  signal: AbortSignal,
): Promise<Judgement> {
  const reviewed = await reviewAttempt(services, live, tree, signal);
  // The checks ran what the worker wrote.
  const planted = await ordersPlantedBy(live);
  if (planted.length > 0) {
    await endRejected(services, live, planted.join("\n"), checks);
    return "ended";
  }
  if ("missing" in reviewed) {
    await endPending(services, live, checks, `its checks passed, but no review was finished: ${reviewed.missing}`);
    return "ended";
  }
  if (reviewed.wrong !== null) return { wrong: reviewed.wrong, checks };
  if (live.task.kind === "review" && tip !== null) {
    await restoreWorktree(tree, tip);
    return { wrong: "This task only looks: it must change nothing. Take your changes back, and say what you found." };
  }
  if (tip === null && live.task.kind === "work") {
    const earlier = await earlierWork(services, live, tree);
    if (earlier !== null && checks.length > 0 && isPerson(live.task.claim?.by ?? "")) {
      const proven = checks.map((check) => ({ ...earlier.checks.find(({ run }) => run === check.run), ...check }));
      return settleEarlier(services, live, proven, earlier.merged);
    }
    await endPending(services, live, checks, whyNothing(earlier, tree));
    return "ended";
  }
  if (live.task.checks.length === 0) {
    await endPending(services, live, checks, "it has no checks");
    return "ended";
  }
  if (reasons.length > 0) {
    await endPending(services, live, checks, reasons.join(" "), { ask: askAboutScope(judge) });
    return "ended";
  }
  if (tip === null) {
    passState(services, live, "integrating", { checks });
    await endAccepted(services, live, checks, null);
    return "ended";
  }
  return settleIntegration(services, live, tree, checks, signal);
}

interface EarlierWork {
  readonly key: string;
  readonly merged: string;
  readonly checks: readonly CheckResult[];
}

/** After an undo or a reset, the earlier work of the task is still on the branch. */
async function earlierWork(
  { context }: EngineServices,
  { key, task }: LiveAttempt,
  tree: AttemptWorktree,
): Promise<EarlierWork | null> {
  const attempts = await context.store.read((reader) =>
    reader.items("attempt", { owner: String(task.nr), newest: true }),
  );
  for (const { key: other, fields } of attempts) {
    const { merged, checks } = fields;
    if (other !== key && merged !== null && (await contains(tree.root, tree.base, merged)))
      return { key: other, merged, checks };
  }
  return null;
}

function whyNothing(earlier: EarlierWork | null, tree: AttemptWorktree): string {
  if (earlier === null) return "nothing was changed, so there is nothing that the checks could prove";
  const commit = `its earlier commit ${earlier.merged.slice(0, 10)} (${earlier.key})`;
  return `nothing was changed since; ${commit} is still on ${shortName(tree.feature)}, and the checks pass there`;
}

/** You hand in your task again without a change: its earlier commit counts, because its checks pass on the branch. */
async function settleEarlier(
  services: EngineServices,
  live: LiveAttempt,
  checks: readonly CheckResult[],
  merged: string,
): Promise<Judgement> {
  const outdated = await changedMeanwhile(services, live);
  if (outdated !== null) await endGivenBack(services, live, outdated);
  else {
    passState(services, live, "integrating", { checks, merged });
    await endAccepted(services, live, checks, merged);
  }
  return "ended";
}

/** Why the result no longer counts: the task was changed or its approval withdrawn meanwhile. Null if it counts. */
async function changedMeanwhile({ context }: EngineServices, { task }: LiveAttempt): Promise<string | null> {
  const now = await context.store.read((reader) => reader.node(task.nr));
  if (now === undefined || now.approval === null) return "its approval was taken back while it was worked on";
  const same = JSON.stringify(now.checks) === JSON.stringify(task.checks);
  return isStale(now) || !same ? "it was changed while it was worked on: a person has to approve it again" : null;
}

async function settleIntegration(
  services: EngineServices,
  live: LiveAttempt,
  tree: AttemptWorktree,
  checks: readonly CheckResult[],
  signal: AbortSignal,
): Promise<Judgement> {
  const outdated = await changedMeanwhile(services, live);
  if (outdated !== null) {
    await endGivenBack(services, live, outdated);
    return "ended";
  }
  passState(services, live, "integrating", { checks });
  const integrated = await integrate(services, live, tree, signal);
  if (!("merged" in integrated)) return integrated;
  await endAccepted(services, live, checks, integrated.merged);
  return "ended";
}
