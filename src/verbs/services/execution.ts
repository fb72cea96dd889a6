// Puts execution together: from the settings and the environment to a worker for each task.

import { tmpdir } from "node:os";
import { join } from "node:path";
import { daemonHere } from "../../config/actor.js";
import { loadExecutionSettings, loadGcSettings } from "../../config/execution-settings.js";
import { loadNotificationSettings } from "../../config/notification-settings.js";
import type { Serving } from "../../config/planning-settings.js";
import { configFolder, worktreesFolder } from "../../config/state-folder.js";
import { followTools } from "../../config/tool-environment.js";
import type { Reviewer, Worker } from "../../engine/services.js";
import { agentSession } from "../../engine/workers/agent.js";
import { choiceFor } from "../../engine/workers/choose.js";
import { agentReviewer, missingReviewer, reviewSession } from "../../engine/workers/reviewer.js";
import { shellSession } from "../../engine/workers/shell.js";
import type { OpenedAgent } from "../../machine/agents/open-agent.js";
import { withSafeConfig } from "../../machine/git/safe-config.js";
import type { Environment } from "../../machine/process/environment.js";
import { isAlive, noteChildrenIn, ownDriver } from "../../machine/process/orphans.js";
import { scrubOwnEnvironment } from "../../machine/process/scrub-environment.js";
import { isPerson } from "../../model/actor.js";
import { type NoWorker, onlyReads } from "../../model/attempt/choose-worker.js";
import type { Node } from "../../model/node/node.js";
import type { Context } from "../../plan/base/context.js";
import { NO_AGENT, REVIEWER } from "../../planning/roles/agents.js";
import type { Execution } from "../kit/session.js";
import { AgentRegistry } from "./agent-registry.js";

export function openExecution(context: Context, env: Environment): Execution {
  const { root } = context;
  const tools = followTools(root, env, isPerson(context.actor));
  // An agent that hands in work does not choose which program reviews it either.
  let agents = new AgentRegistry(root, tools.env);
  /** A daemon finds agents and tools that you installed while it runs, once you used them in a command of your own. */
  const agentsNow = (): AgentRegistry => {
    if (tools.refresh()) agents = new AgentRegistry(root, tools.env);
    return agents;
  };
  const settings = loadExecutionSettings(root, env);
  // The person who asked is named in the log, but a program does the work, and a program approves nothing.
  const actor = isPerson(context.actor) ? daemonHere() : context.actor;
  const worktrees = worktreesFolder(root, settings.worktrees, env);
  const garbage = {
    settings: loadGcSettings(root, env),
    keepDays: settings.keepDays,
    worktrees,
    tmp: tmpdir(),
    isAlive,
  };
  const own = { ...context, actor };
  const services: Execution["services"] = {
    context: own,
    policy: { ...settings, worktrees, keyFolder: configFolder(env) },
    env: tools.env,
    workerFor: (task: Node) => workerFor(agentsNow(), context, task),
    reviewerFor: async () => reviewerFor(agentsNow()),
    process: ownDriver(),
    isAlive,
    redact: agents.redact,
    keepSafe: async () => (await import("../safety/backups.js")).keepSafe(context, env),
    collectGarbage: async (signal) =>
      (await import("../../engine/gc/collect-garbage.js")).collectGarbage({ ...garbage, context: own, signal }),
  };
  const running = join(root, ".planwright", "running");
  return {
    services,
    notifications: loadNotificationSettings(root, env),
    garbage,
    contain: (work) => runContained(running, work),
  };
}

/**
 * A later program can end what this work starts, its git runs nothing that a worker put into the home folder, and no worker
 * finds our tokens in the list of processes.
 */
function runContained<T>(running: string, work: () => Promise<T>): Promise<T> {
  scrubOwnEnvironment();
  return noteChildrenIn(running, () => withSafeConfig(join(running, "git"), work));
}

async function workerFor(agents: AgentRegistry, context: Context, task: Node): Promise<Worker | NoWorker> {
  const choice = choiceFor(task, agents.settings, agents.installed);
  if (choice.kind === "shell") return shellWorker(agents, choice.name, choice.command);
  if (choice.kind === "none") return choice;
  const { serving } = choice;
  const agent = agents.open(serving.agent);
  if (!agent) return { agent: serving.agent, problem: "unknown-agent" };
  if (!onlyReads(task)) return agentWorker(agents, agent, serving);
  return reviewWorker(agents, context, task, reviewerOf(agents, agent, serving));
}

const shellWorker = ({ redact }: AgentRegistry, name: string, command: string | null): Worker => ({
  as: { kind: "shell", name, model: null },
  begin: async (work) => shellSession(work, { redact, ...(command !== null && { command }) }),
});

const agentWorker = (agents: AgentRegistry, agent: OpenedAgent, serving: Serving): Worker => {
  const wishes = agents.wishes(serving);
  const { windowTokens } = agents.settings;
  return {
    as: { kind: "agent", name: agent.name, model: wishes.model ?? null },
    begin: (work) => agentSession(work, { agent, env: agent.env, ...wishes, windowTokens, record: agents.record }),
  };
};

/** An agent does it that only reads. What it looks at are the commits of the tasks that the review waits for. */
async function reviewWorker(
  { redact }: AgentRegistry,
  { store, now }: Context,
  task: Node,
  reviewer: Reviewer,
): Promise<Worker> {
  const links = await store.read((reader) => reader.dependencies(task));
  const done = links.flatMap(({ target: { outcome, report } }) =>
    outcome?.kind === "done" && report?.commit ? [{ commit: report.commit, at: outcome.at }] : [],
  );
  const commits = done.sort((a, b) => a.at - b.at).map(({ commit }) => commit);
  return {
    as: { kind: "agent", name: reviewer.name ?? "reviewer", model: null },
    begin: async (work) => reviewSession(work, reviewer, { commits, now, redact }),
  };
}

/** The agent that the settings name for it, or for every role. One that cannot review leaves the work to a person. */
function reviewerFor(agents: AgentRegistry): Reviewer | null {
  const serving = agents.serving(REVIEWER);
  const name = serving.agent;
  if (name === NO_AGENT) return null;
  const agent = agents.open(name);
  // A command that serves every role can work, but not review.
  if (!agent && agents.settings.roles[REVIEWER] === undefined) return null;
  if (agent && agents.installed.state(name) === "installed") return reviewerOf(agents, agent, serving);
  const problem = agent ? "is not installed" : "is no agent that can review";
  return missingReviewer(name, `The settings name ${name} as ${REVIEWER}, which ${problem}.`);
}

const reviewerOf = (agents: AgentRegistry, agent: OpenedAgent, serving: Serving): Reviewer =>
  agentReviewer({ agent, env: agent.env, ...agents.wishes(serving), record: agents.record });
