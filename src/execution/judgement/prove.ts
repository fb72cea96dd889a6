// Runs the checks of an attempt's task in its worktree, with its environment, and judges a failure by what the attempt
// has changed: what was broken before, in files that it did not touch, is not its fault.

import { type CheckSettings, runCheck, runChecks } from "../../checks/run-checks.js";
import { type BaseRun, judgeScoped } from "../../checks/scope.js";
import { addWorktree, removeWorktree } from "../../git/worktree.js";
import type { Check, CheckResult } from "../../graph/node/node.js";
import type { Live } from "../attempt/moves.js";
import { baseTreeOf, type Ground } from "../attempt/workspace.js";
import type { Services } from "../engine/services.js";

export async function prove(
  services: Services,
  { key, task, attempt }: Live,
  ground: Ground,
  signal: AbortSignal,
): Promise<CheckResult[]> {
  const { context, policy, onEvent } = services;
  const { worktree, work } = ground;
  const settings: CheckSettings = {
    cwd: worktree,
    timeoutS: context.settings.checkTimeoutS,
    env: work.env,
    wrap: work.wrap,
    onFailure: policy.onFailedCheck,
    signal,
    redact: services.redact,
    onStart: ({ run }) => onEvent({ type: "line", attempt: key, task: task.id, line: `check: ${run}` }),
  };
  const changes = attempt.changes ?? { created: [], modified: [], deleted: [] };
  const base = new BaseTree(ground, settings);
  try {
    const onBase = (check: Check): Promise<BaseRun | null> => base.run(check);
    return await runChecks(task.checks, {
      ...settings,
      excuse: judgeScoped({ changes, files: task.files, root: worktree, onBase }),
    });
  } finally {
    await base.remove();
  }
}

type Standing = Pick<Ground, "root" | "worktree" | "base" | "equip">;

/** The tree without the attempt, made only when a failure may be an old one. */
export class BaseTree {
  readonly #ground: Standing;
  readonly #settings: CheckSettings;
  readonly #path: string;
  #made: boolean | undefined;

  constructor(ground: Standing, settings: CheckSettings) {
    this.#ground = ground;
    this.#settings = settings;
    this.#path = baseTreeOf(ground.worktree);
  }

  async run(check: Check): Promise<BaseRun | null> {
    this.#made ??= (await addWorktree(this.#ground.root, this.#path, this.#ground.base)).ok;
    if (!this.#made) return null;
    await this.#ground.equip(this.#path);
    return { run: await runCheck(check, { ...this.#settings, cwd: this.#path }), root: this.#path };
  }

  async remove(): Promise<void> {
    if (this.#made !== undefined) await removeWorktree(this.#ground.root, this.#path);
  }
}
