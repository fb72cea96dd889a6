// Why a person has to look at work whose checks passed. Where the change touches files that judge it, such as tests, the checks run
// once more with these files as they were.

import type { ChangeCommit } from "../../machine/git/change-set.js";
import { commitWith } from "../../machine/git/mixed-commit.js";
import { type ChangeScope, isTestFile } from "../../model/attempt/change-scope.js";
import { hasFailed, proofText, strengthOf } from "../../model/attempt/proof-strength.js";
import type { CheckResult } from "../../model/node/node.js";
import type { NewQuestion } from "../../plan/question/raise.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";
import type { Trial } from "../worktree/attempt-worktree.js";
import { runOnCommit } from "../worktree/clean-worktree.js";
import { approvedBaselines } from "./attempt-checks.js";
import { outsideWords } from "./scope-change.js";

export type Doubts = Awaited<ReturnType<typeof doubtsAbout>>;

/**
 * `reasons`: full sentences, none if there is nothing to doubt. `judge`: what the change did to its judge, as a verb phrase: `changed a
 * test; with the old test the check fails`. `checks`: with a note where they passed also with the old files.
 */
export async function doubtsAbout(
  trial: Trial,
  change: ChangeScope & { readonly tip: string; readonly checks: readonly CheckResult[] },
) {
  const { services, live } = trial;
  const { proof, footprint } = services.policy;
  const { outside, protectedFiles, steering } = change;
  const reasons: string[] = [];
  let { checks } = change;
  let judge: string | null = null;
  if (protectedFiles.length > 0) {
    const failed = await failedWithOld(trial, change);
    // Without a footprint nothing says that these files are off limits, so it is enough that the work does not need the change. What
    // steers later checks, or people's own programs, is not settled by that.
    if (failed.length === 0 && steering.length === 0 && live.task.files.length === 0) {
      checks = checks.map((check) => ({ ...check, restored: protectedFiles }));
    } else {
      judge = judgeWords(services, protectedFiles, failed.length);
      const what = failed.length === 0 ? "" : `: ${failed.join(", ")}`;
      reasons.push(`It ${judge}${what}. Changed: ${protectedFiles.join(", ")}.`);
      if (steering.length > 0) reasons.push(`${steering.join(", ")} can decide what checks do or what programs obey.`);
    }
  }
  if (footprint === "ask" && outside.length > 0) reasons.push(outsideWords(outside));
  const flaky = checks.filter((check) => check.flaky === true).map(({ run }) => run);
  if (flaky.length > 0 && proof !== "off") reasons.push(`${flaky.join(", ")} failed and passed on the same tree.`);
  const isWeak = proof === "require" && live.task.checks.length > 0 && strengthOf(checks) !== "strong";
  if (isWeak) reasons.push("The proof is weak: no check fails without the change.");
  if (reasons.length > 0) reasons.push(`Strength of proof: ${proofText(checks)}.`);
  return { reasons, judge, checks };
}

function judgeWords({ policy }: EngineServices, files: readonly string[], failed: number): string {
  const noun = files.every((path) => isTestFile(path, policy)) ? "test" : "file";
  const kind = noun === "test" ? "test" : "protected file";
  const changed = files.length === 1 ? `a ${kind}` : `${files.length} ${kind}s`;
  const old = files.length === 1 ? `the old ${noun}` : `the old ${noun}s`;
  const result = failed === 0 ? "the checks pass" : failed === 1 ? "the check fails" : `${failed} checks fail`;
  return `changed ${changed}; with ${old} ${result}`;
}

/** What fails with the protected files as they were, in words. */
async function failedWithOld(
  trial: Trial,
  { tip, protectedFiles }: Pick<ChangeScope, "protectedFiles"> & { readonly tip: string },
): Promise<string[]> {
  const { services, live, tree } = trial;
  const excuse = await approvedBaselines(services, live.task.feature);
  const old = await commitWith(tree.root, tip, { from: tree.base, paths: protectedFiles });
  const results = await runOnCommit(trial, old, live.task.checks, {
    onFailure: "continue",
    excuse,
    shownAs: "proof, with the protected files as they were",
  });
  // Then nothing shows that the work passes without its change of the judge.
  if (!results.ok) return [results.error.message];
  return results.value.filter(hasFailed).map(({ run, outcome }) => `${run} (${outcome})`);
}

export type CommittedChange = Extract<ChangeCommit, { commit: string }>;

/** `did`: what the change did to its judge, as a verb phrase. Null if nothing is outside and no judge changed: nothing is asked. */
export function aboutScope({ task, attempt }: LiveAttempt, did: string | null, why: string): NewQuestion | null {
  const { id, title } = task;
  const { outside = [] } = attempt;
  if (outside.length === 0 && did === null) return null;
  const what = did ?? "passed its checks, but changed files outside of its footprint";
  const detail = `Adds ${outside.join(", ")} to the task and accepts the work.`;
  const widen = { id: "widen", label: "Widen the footprint", detail };
  return {
    kind: "footprint",
    question: `${id} "${title}" ${what}. What next: ${outside.length > 0 ? "widen, " : ""}reject or accept-once?`,
    context: why,
    owner: id,
    blocks: [id],
    options: [
      ...(outside.length > 0 ? [widen] : []),
      { id: "reject", label: "Reject it", detail: "The task is rejected. Its work is kept." },
      { id: "accept-once", label: "Accept it once", detail: "Recorded as your override. The task stays as it is." },
    ],
  };
}
