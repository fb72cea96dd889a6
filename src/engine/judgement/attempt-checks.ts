// Runs the checks of a task on a clean tree of the attempt's commit. A failure counts, whoever caused it, unless a person approved
// it by name as a baseline.

import { failingTests } from "../../machine/checks/diagnostics.js";
import { type CheckRun, type CheckSettings, type Excuse, runChecks } from "../../machine/checks/run-checks.js";
import { ignoredFiles } from "../../machine/git/change-set.js";
import { carriedState } from "../../machine/worktrees/carry.js";
import { brokenConstraints, type Contradiction } from "../../model/item/contradictions.js";
import type { KeyedRecord } from "../../model/item/record.js";
import type { Check, CheckResult, Node, Nr } from "../../model/node/node.js";
import { activeRecords } from "../../plan/record/save-record.js";
import type { EngineServices } from "../services.js";
import type { AttemptWorktree, Trial } from "../worktree/attempt-worktree.js";
import { runOnMixedTree, settingsFor } from "../worktree/clean-worktree.js";

/** `commit`: what is checked out. Ignored files of the worker are in no commit, so no check may see them, nor carried ones that it changed. */
export async function runAttemptChecks(trial: Trial, commit: string): Promise<CheckResult[]> {
  const { services, live, tree } = trial;
  const { checks, feature } = live.task;
  const excuse = await approvedBaselines(services, feature);
  const settings = { ...checkSettings(trial), excuse };
  if (checks.length === 0 || tree.isLaidOut) return runChecks(checks, settings);
  if (await hasOnlySetUp(tree, services.policy.carry)) return runChecks(checks, settings);
  const results = await runOnMixedTree(tree, commit, null, checks, settings);
  if (results === null) throw new Error(`no clean worktree of ${commit.slice(0, 10)} could be made for the checks.`);
  return results;
}

/** True if all that git ignores in the worktree is what the set-up put there, unchanged. */
async function hasOnlySetUp(
  { worktree, carried }: Pick<AttemptWorktree, "worktree" | "carried">,
  carry: readonly string[],
): Promise<boolean> {
  const ignored = await ignoredFiles(worktree);
  if (ignored.length === 0) return true;
  const paths = carry.map((path) => path.replace(/\/+$/, ""));
  const isCarried = (path: string): boolean => paths.some((each) => path === each || path.startsWith(`${each}/`));
  return ignored.every(isCarried) && carried === (await carriedState(worktree, carry));
}

/** All commands that prove something about an attempt run with these settings. */
export const checkSettings = ({ services, live, tree, signal }: Trial): CheckSettings => {
  const { cwd, env, wrap } = tree.input;
  return settingsFor(services, { attempt: live.key, task: live.task.id }, { cwd, env, wrap, signal });
};

/** Excuses a failure if all failing tests of the report are in an approved baseline of the same check. */
export async function approvedBaselines(
  { context }: Pick<EngineServices, "context">,
  feature: Nr | null,
): Promise<Excuse> {
  const records = await context.store.read((reader) => activeRecords(reader, feature));
  return async (check, failed) => coveringBaseline(records, check, failed);
}

function coveringBaseline(records: readonly KeyedRecord[], { run }: Check, { exitCode, output, cut }: CheckRun) {
  // A time limit, a signal or half a report says nothing about single tests.
  if (exitCode === null || exitCode === 0 || cut) return null;
  const failing = failingTests(output);
  if (failing.length === 0) return null;
  const covers = ({ fields }: KeyedRecord): boolean => {
    const known = fields.baseline?.run === run ? new Set(fields.baseline.tests) : new Set<string>();
    return failing.every((test) => known.has(test));
  };
  return records.find(covers)?.key ?? null;
}

/** Only the changed files count: the text of the task was compared when it was approved. */
export const constraintsBrokenBy = (
  task: Node,
  files: readonly string[],
  records: readonly KeyedRecord[],
): Contradiction[] => brokenConstraints([{ ...task, title: "", body: "", checks: [], files }], records);
