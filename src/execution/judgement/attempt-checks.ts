// Runs the checks of a task in the attempt's worktree. A failure counts, whoever caused it, unless a person approved it by name
// as a baseline.

import { activeRecords } from "../../actions/record/active-records.js";
import { failingTests } from "../../checks/failing-tests.js";
import { type CheckRun, type CheckSettings, type Excuse, runChecks } from "../../checks/run-checks.js";
import type { KeyedRecord } from "../../graph/item/record.js";
import type { Check, CheckResult, Nr } from "../../graph/node/node.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import type { AttemptWorktree } from "../attempt/attempt-worktree.js";
import type { EngineServices } from "../engine/services.js";

export async function runAttemptChecks(
  services: EngineServices,
  live: LiveAttempt,
  tree: AttemptWorktree,
  signal: AbortSignal,
): Promise<CheckResult[]> {
  const settings = checkSettings(services, live, tree, signal);
  return runChecks(live.task.checks, { ...settings, excuse: await approvedBaselines(services, live.task.feature) });
}

/** For all commands that prove something about an attempt. */
export function checkSettings(
  { context, policy, onEvent, redact }: EngineServices,
  { key, task }: LiveAttempt,
  { worktree, input }: AttemptWorktree,
  signal: AbortSignal,
): CheckSettings {
  return {
    cwd: worktree,
    timeoutS: context.settings.checkTimeoutS,
    env: input.env,
    wrap: input.wrap,
    onFailure: policy.onFailedCheck,
    signal,
    redact,
    onStart: ({ run }) => onEvent({ type: "line", attempt: key, task: task.id, line: `check: ${run}` }),
  };
}

/** Excuses a failure if all failing tests of the report are in an approved baseline of the same check. */
export async function approvedBaselines(
  { context }: Pick<EngineServices, "context">,
  feature: Nr | null,
): Promise<Excuse> {
  const records = await context.store.read((reader) => activeRecords(reader, feature));
  return async (check, failed) => coveringBaseline(records, check, failed);
}

function coveringBaseline(
  records: readonly KeyedRecord[],
  { run }: Check,
  { exitCode, output, cut }: CheckRun,
): string | null {
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
