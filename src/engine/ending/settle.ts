// Acts on a verdict: ends the attempt, or leaves it open with what its worker has to fix. What is accepted is merged into its
// feature's branch, in memory; if the merged tree is new, the checks run again on it. The branch moves by compare-and-swap together
// with the attempt's own branch, so an attempt that was declared lost can move nothing.

import { commitTree, contains, mergeTrees, secondParentOf, treeOf } from "../../machine/git/merge.js";
import { acceptedRef, attemptBranch, readRef } from "../../machine/git/refs.js";
import { hasFailed } from "../../model/attempt/proof-strength.js";
import type { CheckResult } from "../../model/node/node.js";
import { isStale } from "../../model/status/stale-approval.js";
import { attemptMessage } from "../attempt/attempt-places.js";
import { ClaimLost, describeFailedChecks, enterState, type LiveAttempt, passState } from "../attempt/attempt-state.js";
import { moveCheckedOut } from "../attempt/move-checked-out.js";
import { runAttemptChecks } from "../judgement/attempt-checks.js";
import type { AcceptedChange, Judgement, Retry } from "../judgement/judge.js";
import type { EngineServices } from "../services.js";
import type { AttemptWorktree, Trial } from "../worktree/attempt-worktree.js";
import { endAccepted, endFailed, endGivenBack, endPending, endRejected } from "./end-attempt.js";

export type Unsettled = Retry | { readonly verdict: "conflict"; readonly files: readonly string[] };

/** Null: the attempt has ended. */
export async function settle(trial: Trial, verdict: Judgement): Promise<Unsettled | null> {
  const { services, live } = trial;
  if (verdict.verdict === "retry") return verdict;
  if (verdict.verdict === "accepted") return settleAccepted(trial, verdict);
  if (verdict.verdict === "pending") await endPending(services, live, verdict);
  else if (verdict.isOverBudget) await endFailed(services, live, { ending: "over-budget", output: verdict.wrong });
  else await endRejected(services, live, verdict.wrong, verdict.checks);
  return null;
}

async function settleAccepted(trial: Trial, { checks, earlier }: AcceptedChange): Promise<Unsettled | null> {
  const { services, live } = trial;
  const outdated = await changedMeanwhile(services, live);
  if (outdated !== null) {
    await endGivenBack(services, live, outdated);
    return null;
  }
  passState(services, live, "integrating", { checks, ...(earlier !== null && { merged: earlier }) });
  const hasNew = live.attempt.tip !== null;
  const integrated = hasNew ? await integrate(trial) : { merged: earlier };
  if ("verdict" in integrated) return integrated;
  await endAccepted(services, live, checks, integrated.merged);
  return null;
}

/** Why the result no longer counts: the task was changed or its approval withdrawn meanwhile. Null if it counts. */
async function changedMeanwhile({ context }: EngineServices, { task }: LiveAttempt): Promise<string | null> {
  const now = await context.store.read((reader) => reader.node(task.nr));
  if (now === undefined || now.approval === null) return "its approval was taken back while it was worked on";
  const same = JSON.stringify(now.checks) === JSON.stringify(task.checks);
  return isStale(now) || !same ? "it was changed while it was worked on: a person has to approve it again" : null;
}

/** Other attempts integrate at the same time. Each retry means that one of them succeeded. */
const TRIES = 100;

async function integrate(trial: Trial): Promise<{ readonly merged: string } | Unsettled> {
  const { services, live, tree } = trial;
  for (let tried = 0; tried < TRIES; tried++) {
    const onto = await tipOf(tree);
    const merged = await mergeOnto(trial, onto);
    if ("verdict" in merged) return merged;
    await enterState(services, live, { to: "integrating", patch: merged });
    if (await advance(trial, onto, merged.merged)) return { merged: merged.merged };
  }
  throw new Error(`the branch ${tree.feature} moved ${TRIES} times while ${live.key} was being integrated`);
}

type Candidate = { readonly merged: string; readonly mergedChecks: readonly CheckResult[] };

async function mergeOnto(trial: Trial, onto: string): Promise<Candidate | Unsettled> {
  const { services, live, tree } = trial;
  const tip = live.attempt.tip as string;
  // The branch has not moved, so the checks ran on exactly this tree.
  if (onto === tree.base) return { merged: tip, mergedChecks: [] };
  // Merging and checking again may take a while, so record the state first.
  await enterState(services, live, { to: "integrating" });
  const result = await mergeTrees(tree.root, onto, tip);
  if ("conflicts" in result) return { verdict: "conflict", files: result.conflicts };
  const parents = [onto, ...(await mergedBeside(tree, onto))];
  const merged = await commitTree(tree.root, result.tree, parents, attemptMessage(live));
  if (result.tree === (await treeOf(tree.root, tip))) return { merged, mergedChecks: [] };
  const checks = await runAttemptChecks(trial, merged);
  if (!checks.some(hasFailed)) return { merged, mergedChecks: checks };
  // The worker goes on from the merged tree, so its next change set is compared with that.
  await tree.putOnto(merged);
  tree.setBase(onto);
  const wrong = `After merging with what others did meanwhile:\n\n${describeFailedChecks(checks)}`;
  return { verdict: "retry", wrong, checks };
}

/** What the attempt's base had merged in beside the branch: main, if the task is to merge it. */
export async function mergedBeside(
  { root, base }: Pick<AttemptWorktree, "root" | "base">,
  onto: string,
): Promise<string[]> {
  const second = await secondParentOf(root, base);
  return second === null || (await contains(root, onto, base)) ? [] : [second];
}

async function advance({ services, live, tree }: Trial, onto: string, merged: string): Promise<boolean> {
  const own = attemptBranch(live.key);
  // The worker may have committed on it, so any commit is fine as long as the branch exists.
  const held = await readRef(tree.root, own);
  if (held === null) throw new ClaimLost(`The branch of ${live.key} was taken away.`);
  const moves = [
    { ref: own, from: held, to: null },
    { ref: tree.feature, from: onto, to: merged },
    { ref: acceptedRef(tree.feature), to: merged },
  ];
  const branch = { owner: live.key, branch: tree.feature, from: onto, to: merged, moves };
  const moved = await moveCheckedOut(services, branch);
  if (moved.ok) return true;
  // A killed git may have moved the branch all the same.
  if (await contains(tree.root, tree.feature, merged)) return true;
  if ((await readRef(tree.root, own)) === null) throw new ClaimLost(`The branch of ${live.key} is gone already.`);
  return false;
}

async function tipOf({ root, feature }: AttemptWorktree): Promise<string> {
  const tip = await readRef(root, feature);
  if (tip === null) throw new Error(`the branch ${feature} is gone`);
  return tip;
}
