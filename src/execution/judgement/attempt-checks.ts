// Runs the checks of a task in the attempt's worktree. Excuses a failure that was there before, in files that the attempt did
// not touch.

import { type CheckSettings, runCheck, runChecks } from "../../checks/run-checks.js";
import { type BaseRun, excuseOldFailures } from "../../checks/scope.js";
import { addWorktree, removeWorktree } from "../../git/worktree.js";
import type { Check, CheckResult } from "../../graph/node/node.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import { type AttemptWorktree, baseWorktreeOf } from "../attempt/attempt-worktree.js";
import type { EngineServices } from "../engine/services.js";

export async function runAttemptChecks(
  services: EngineServices,
  { key, task, attempt }: LiveAttempt,
  tree: AttemptWorktree,
  signal: AbortSignal,
): Promise<CheckResult[]> {
  const { context, policy, onEvent } = services;
  const { worktree, input } = tree;
  const settings: CheckSettings = {
    cwd: worktree,
    timeoutS: context.settings.checkTimeoutS,
    env: input.env,
    wrap: input.wrap,
    onFailure: policy.onFailedCheck,
    signal,
    redact: services.redact,
    onStart: ({ run }) => onEvent({ type: "line", attempt: key, task: task.id, line: `check: ${run}` }),
  };
  const changes = attempt.changes ?? { created: [], modified: [], deleted: [] };
  const base = new BaseWorktree(tree, settings);
  try {
    const onBase = (check: Check): Promise<BaseRun | null> => base.run(check);
    return await runChecks(task.checks, {
      ...settings,
      excuse: excuseOldFailures({ changes, files: task.files, root: worktree, onBase }),
    });
  } finally {
    await base.remove();
  }
}

type TreeToCompare = Pick<AttemptWorktree, "root" | "worktree" | "base" | "setUp">;

/** Worktree of the base commit, made only when a failure may be an old one. */
export class BaseWorktree {
  readonly #tree: TreeToCompare;
  readonly #settings: CheckSettings;
  readonly #path: string;
  #made: boolean | undefined;

  constructor(tree: TreeToCompare, settings: CheckSettings) {
    this.#tree = tree;
    this.#settings = settings;
    this.#path = baseWorktreeOf(tree.worktree);
  }

  async run(check: Check): Promise<BaseRun | null> {
    this.#made ??= (await addWorktree(this.#tree.root, this.#path, this.#tree.base)).ok;
    if (!this.#made) return null;
    await this.#tree.setUp(this.#path);
    return { run: await runCheck(check, { ...this.#settings, cwd: this.#path }), root: this.#path };
  }

  async remove(): Promise<void> {
    if (this.#made !== undefined) await removeWorktree(this.#tree.root, this.#path);
  }
}
