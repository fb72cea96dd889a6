// How strong the proof of a change is: the same checks run without the change. Where the change has tests, only they are put onto
// the base, and the checks should fail there; otherwise the checks run on the base as it was.

import type { CheckSettings } from "../../machine/checks/run-checks.js";
import { treeOf } from "../../machine/git/merge.js";
import { isTestFile } from "../../model/attempt/change-scope.js";
import type { Check, CheckBefore, CheckResult } from "../../model/node/node.js";
import { ok } from "../../model/result.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";
import type { Trial } from "../worktree/attempt-worktree.js";
import { runOnMixedTree } from "../worktree/clean-worktree.js";
import { checkSettings } from "./attempt-checks.js";
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
  checks: readonly CheckResult[],
): Promise<CheckResult[]> {
  const { services, live, tree } = trial;
  const { checks: asked } = live.task;
  if (services.policy.proof === "off") return [...checks];
  const tests = [...changes.created, ...changes.modified].filter((path) => isTestFile(path, services.policy));
  const others = [...changes.created, ...changes.modified, ...changes.deleted].length - tests.length;
  const settings = { ...checkSettings(trial), onFailure: "continue" as const };
  // A change that is nothing but tests has no work that they could miss.
  const before =
    tests.length > 0 && others > 0
      ? (await runOnMixedTree(tree, tree.base, { from: tip, paths: tests }, asked, settings))?.map(onTests)
      : await onBase(trial, settings);
  return checks.map((result, i) => (before?.[i] ? { ...result, before: before[i] } : result));
}

const onTests = (result: CheckResult): CheckBefore | null =>
  isConclusive(result) ? { on: "tests", passed: result.passed, outcome: result.outcome } : null;

async function onBase({ services, live, tree }: Trial, settings: CheckSettings): Promise<(CheckBefore | null)[]> {
  const { checks } = live.task;
  const baseTree = await treeOf(tree.root, tree.base);
  const results = await resultsOn(services.context.root, baseTree, checks, async (missing) =>
    ok((await runOnMixedTree(tree, tree.base, null, missing, settings)) ?? []),
  );
  return checks.map((check) => {
    const result = results.ok ? results.value.get(checkKey(check)) : undefined;
    return result ? { on: "base", ...result } : null;
  });
}
