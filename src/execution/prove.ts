// Runs the checks of an attempt's task in its worktree, with its environment, and judges a failure by what the attempt
// has changed: what was broken before, in files that it did not touch, is not its fault.

import { runChecks } from "../checks/run-checks.js";
import type { CheckResult } from "../graph/node.js";
import type { Ground } from "./ground.js";
import type { Live } from "./moves.js";
import type { Services } from "./services.js";

export function prove(
  { context, policy, onEvent }: Services,
  { key, task }: Live,
  { worktree, work }: Ground,
  signal: AbortSignal,
): Promise<CheckResult[]> {
  return runChecks(task.checks, {
    cwd: worktree,
    timeoutS: context.settings.checkTimeoutS,
    env: work.env,
    wrap: work.wrap,
    onFailure: policy.onFailedCheck,
    signal,
    onStart: ({ run }) => onEvent({ type: "line", attempt: key, task: task.id, line: `check: ${run}` }),
  });
}
