// Runs the checks of a task on a clean tree of the attempt's commit. A failure counts, whoever caused it, unless a person approved
// it by name as a baseline.

import { failingTests } from "../../machine/checks/diagnostics.js";
import type { CheckRun, Excuse } from "../../machine/checks/run-checks.js";
import { brokenConstraints, type Contradiction } from "../../model/item/contradictions.js";
import type { KeyedRecord } from "../../model/item/record.js";
import type { Check, CheckResult, Node, Nr } from "../../model/node/node.js";
import { activeRecords } from "../../plan/record/save-record.js";
import type { EngineServices } from "../services.js";
import type { Trial } from "../worktree/attempt-worktree.js";
import { runOnCommit } from "../worktree/clean-worktree.js";

/** `commit`: what the checks prove something about. */
export async function runAttemptChecks(trial: Trial, commit: string): Promise<CheckResult[]> {
  const { services, live } = trial;
  const excuse = await approvedBaselines(services, live.task.feature);
  const ran = await runOnCommit(trial, commit, live.task.checks, { excuse });
  if (ran.ok) return ran.value;
  const { message, details } = ran.error;
  throw new Error(`${message} ${JSON.stringify(details?.["output"] ?? "")}`);
}

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
