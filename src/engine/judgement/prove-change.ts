// How strong the proof of a change is: the same checks run without the change. Where the change has tests, only they are put onto
// the base, and the checks should fail there; otherwise the checks run on the base as it was.

import { wasNotRun } from "../../machine/checks/run-checks.js";
import { treeOf } from "../../machine/git/merge.js";
import type { ChangeSet } from "../../model/attempt/attempt.js";
import { isTestFile } from "../../model/attempt/change-scope.js";
import type { Check, CheckBefore, CheckResult } from "../../model/node/node.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";
import type { AttemptWorktree } from "../worktree/attempt-worktree.js";
import { runOnMixedTree } from "../worktree/mixed-tree.js";
import { checkSettings } from "./attempt-checks.js";
import { KnownResults } from "./known-results.js";

/** Marks a check that is known to fail on the same tree, and remembers the results. */
export function markFlaky(
  { context }: EngineServices,
  { task }: LiveAttempt,
  tree: string,
  checks: readonly CheckResult[],
): CheckResult[] {
  const known = new KnownResults(context.root);
  return checks.map((result, i) => {
    const check = task.checks[i] as Check;
    if (!isConclusive(result)) return result;
    const flaky = result.passed && known.find(tree, check)?.passed === false;
    known.keep(tree, check, result);
    return flaky ? { ...result, flaky } : result;
  });
}

/** A check that was stopped or took too long says nothing about the tree. */
export const isConclusive = (result: CheckResult): boolean =>
  !wasNotRun(result) && !/^(timed out|was canceled|ended by|could not be started)/.test(result.outcome);

export async function proveChange(
  services: EngineServices,
  live: LiveAttempt,
  tree: AttemptWorktree,
  {
    tip,
    changes,
    checks,
  }: { readonly tip: string; readonly changes: ChangeSet; readonly checks: readonly CheckResult[] },
  signal: AbortSignal,
): Promise<CheckResult[]> {
  if (services.policy.proof === "off") return [...checks];
  const tests = [...changes.created, ...changes.modified].filter((path) => isTestFile(path, services.policy));
  const others = [...changes.created, ...changes.modified, ...changes.deleted].length - tests.length;
  const settings = { ...checkSettings(services, live, tree, signal), onFailure: "continue" as const };
  // A change that is nothing but tests has no work that they could miss.
  const before =
    tests.length > 0 && others > 0
      ? await withOnlyTests(tree, tip, tests, live.task.checks, settings)
      : await onBase(services, tree, live.task.checks, settings);
  return checks.map((result, i) =>
    before[i] === null || before[i] === undefined ? result : { ...result, before: before[i] },
  );
}

type Settings = ReturnType<typeof checkSettings>;

const toBefore = (on: CheckBefore["on"], result: CheckResult): CheckBefore | null =>
  isConclusive(result) ? { on, passed: result.passed, outcome: result.outcome } : null;

async function withOnlyTests(
  tree: AttemptWorktree,
  tip: string,
  paths: readonly string[],
  checks: readonly Check[],
  settings: Settings,
): Promise<(CheckBefore | null)[]> {
  const mixed = { commit: tree.base, files: { from: tip, paths } };
  const results = await runOnMixedTree(tree, mixed, checks, settings);
  return (results ?? []).map((result) => toBefore("tests", result));
}

async function onBase(
  { context }: EngineServices,
  tree: AttemptWorktree,
  checks: readonly Check[],
  settings: Settings,
): Promise<(CheckBefore | null)[]> {
  const known = new KnownResults(context.root);
  const baseTree = await treeOf(tree.root, tree.base);
  const found = checks.map((check) => known.find(baseTree, check));
  const missing = checks.filter((_, i) => found[i] === undefined);
  const ran =
    missing.length === 0 ? [] : await runOnMixedTree(tree, { commit: tree.base, files: null }, missing, settings);
  const results = new Map(missing.map((check, i) => [check, ran?.[i]]));
  return checks.map((check, i) => {
    const earlier = found[i];
    if (earlier) return { on: "base" as const, ...earlier };
    const result = results.get(check);
    if (!result) return null;
    if (isConclusive(result)) known.keep(baseTree, check, result);
    return toBefore("base", result);
  });
}
