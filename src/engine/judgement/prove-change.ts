// How strong the proof of a change is: the same checks run without the change. Where the change has tests, only they are put onto
// the base, and the checks should fail there; otherwise the checks run on the base as it was.

import { treeOf } from "../../machine/git/merge.js";
import { commitWith, type FilesFrom } from "../../machine/git/mixed-commit.js";
import { touchedBy } from "../../model/attempt/attempt.js";
import type { ChangeScope } from "../../model/attempt/change-scope.js";
import type { Check, CheckBefore, CheckResult } from "../../model/node/node.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";
import type { Trial } from "../worktree/attempt-worktree.js";
import { runOnCommit } from "../worktree/clean-worktree.js";
import type { CommittedChange } from "./doubts.js";
import { checkKey, findResult, isConclusive, keepResult, resultsOn } from "./known-results.js";

/** Marks a check that is known to fail on the same tree, and remembers the results. */
export function markFlaky(
  { context: { root } }: EngineServices,
  { task }: LiveAttempt,
  tree: string,
  checks: readonly CheckResult[],
): CheckResult[] {
  return checks.map((result, i) => {
    const check = task.checks[i] as Check;
    if (!isConclusive(result)) return result;
    const flaky = result.passed && findResult(root, tree, check)?.passed === false;
    keepResult(root, tree, check, result);
    return flaky ? { ...result, flaky } : result;
  });
}

export async function proveChange(
  trial: Trial,
  { commit: tip, changes }: CommittedChange,
  { tests }: Pick<ChangeScope, "tests">,
  checks: readonly CheckResult[],
): Promise<CheckResult[]> {
  const { services, live } = trial;
  const { checks: asked } = live.task;
  if (services.policy.proof === "off") return [...checks];
  const others = touchedBy(changes).length - tests.length;
  // A change that is nothing but tests has no work that they could miss.
  const before =
    tests.length > 0 && others > 0
      ? (await onBaseWith(trial, { from: tip, paths: tests }, asked)).map(onTests)
      : await onBase(trial);
  return checks.map((result, i) => (before?.[i] ? { ...result, before: before[i] } : result));
}

const onTests = (result: CheckResult): CheckBefore | null =>
  isConclusive(result) ? { on: "tests", passed: result.passed, outcome: result.outcome } : null;

async function onBaseWith(trial: Trial, tests: FilesFrom, checks: readonly Check[]): Promise<readonly CheckResult[]> {
  const mixed = await commitWith(trial.tree.root, trial.tree.base, tests);
  const ran = await runOnCommit(trial, mixed, checks, {
    onFailure: "continue",
    shownAs: "proof, with only the tests of the change",
  });
  return ran.ok ? ran.value : [];
}

async function onBase(trial: Trial): Promise<(CheckBefore | null)[]> {
  const { services, live, tree } = trial;
  const { checks } = live.task;
  const baseTree = await treeOf(tree.root, tree.base);
  const results = await resultsOn(services.context.root, baseTree, checks, (missing) =>
    runOnCommit(trial, tree.base, missing, { onFailure: "continue", shownAs: "proof, without the change" }),
  );
  return checks.map((check) => {
    const result = results.ok ? results.value.get(checkKey(check)) : undefined;
    return result ? { on: "base", ...result } : null;
  });
}
