// The actions' view of a workspace: who asks, by which settings, on which store. The command line and
// programs that use the library open it alike.

import type { Context } from "../actions/context.js";
import { actorFrom } from "../config/actor.js";
import type { ExecutionSettings } from "../config/execution-settings.js";
import { BadSetting } from "../config/schema.js";
import { loadSettings, type Settings } from "../config/settings.js";
import type { Workspace } from "../config/workspace.js";
import type { GitSettings } from "../git/git-settings.js";
import { headCommit } from "../git/repository.js";
import { isActor } from "../graph/actor.js";
import type { Environment } from "../process/environment.js";
import type { SqliteOptions } from "../store/dialects/sqlite/sqlite.js";
import { StoreFault } from "../store/fault.js";

export interface Caller {
  /** `human:NAME` or `agent:NAME`; otherwise the environment tells. */
  readonly actor: string | undefined;
  readonly env: Environment;
  readonly cwd: string;
}

const usageFault = (reason: string, message: string): StoreFault => new StoreFault({ kind: "usage", reason, message });

export function prepare(
  workspace: Workspace,
  asker: Caller,
): { context: Omit<Context, "store">; options: SqliteOptions } {
  const { env, cwd } = asker;
  const actor = actorFrom(asker.actor, env);
  if (!isActor(actor)) {
    const message = `"${String(actor)}" is not an actor. Say who asks: human:NAME or agent:NAME, here or in PLANWRIGHT_ACTOR.`;
    throw usageFault("usage", message);
  }
  const settings = settingsOf(workspace, env);
  const { repository, root, store: path } = workspace;
  const engine = env["PLANWRIGHT_SQLITE"] === "add-on" ? "add-on" : "auto";
  const head = (): string | null => (repository ? headCommit(repository) : null);
  const commandEnvironment = (): Promise<Record<string, string>> => commandEnvironmentOf(root, env);
  return {
    context: {
      actor,
      settings,
      root,
      cwd,
      commandEnvironment,
      engineLimits: () => executionSettingsOf(root),
      worktreesFolder: () => worktreesFolderOf(root, env),
      gitSettings: () => gitSettingsOf(root),
      noWorkerFor: workerFinder(root, env),
      deadDaemon: async () => (await import("../execution/engine/background.js")).findDeadDaemon(root) ?? null,
      now: () => Date.now(),
      head,
    },
    options: { path, durability: settings.durability, engine },
  };
}

const settingsOf = (workspace: Workspace, env: Environment): Settings =>
  readingSettings(() => loadSettings(workspace.root, env));

function readingSettings<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadSetting) throw usageFault("bad-setting", error.message);
    throw error;
  }
}

/** Loaded when there is a command to run: most verbs start none. */
async function commandEnvironmentOf(root: string, env: Environment): Promise<Record<string, string>> {
  const { commandEnvironment } = await import("../process/environment.js");
  return commandEnvironment(env, (await executionSettingsOf(root)).env);
}

async function executionSettingsOf(root: string): Promise<ExecutionSettings> {
  const { loadExecutionSettings } = await import("../config/execution-settings.js");
  return readingSettings(() => loadExecutionSettings(root));
}

async function worktreesFolderOf(root: string, env: Environment): Promise<string> {
  const { worktreesFolder } = await import("../config/state-folder.js");
  return worktreesFolder(root, (await executionSettingsOf(root)).worktrees, env);
}

async function gitSettingsOf(root: string): Promise<GitSettings> {
  const { loadGitSettings } = await import("../config/git-settings.js");
  return readingSettings(() => loadGitSettings(root));
}

/** Loaded when an engine is asked about: looking for agents takes longer than most reads. */
function workerFinder(root: string, env: Environment): Context["noWorkerFor"] {
  const load = async () => {
    const { loadPlanningSettings } = await import("../config/planning-settings.js");
    const { AgentsHere } = await import("../agents/agents-here.js");
    const { choiceFor } = await import("../execution/workers/choose.js");
    const settings = readingSettings(() => loadPlanningSettings(root));
    return { choiceFor, settings, agents: new AgentsHere(settings.agents, env) };
  };
  let loaded: ReturnType<typeof load> | undefined;
  return async (task) => {
    const { choiceFor, settings, agents } = await (loaded ??= load());
    const choice = await choiceFor(task, settings, agents);
    return choice.kind === "none" ? { agent: choice.agent, problem: choice.problem } : null;
  };
}
