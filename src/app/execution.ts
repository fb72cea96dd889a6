// Puts execution together: from the settings and the environment to a worker for each task.

import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";

import type { Context } from "../actions/context.js";
import type { AgentsHere } from "../agents/agents-here.js";
import type { OpenedAgent } from "../agents/open-agent.js";
import type { Redact } from "../agents/redact.js";
import { recorded, Transcript } from "../agents/transcript.js";
import { type ExecutionSettings, loadExecutionSettings } from "../config/execution-settings.js";
import { loadNotificationSettings, type NotificationSettings } from "../config/notification-settings.js";
import type { PlanningSettings, Serving } from "../config/planning-settings.js";
import { BadSetting } from "../config/settings.js";
import type { Services, Worker } from "../execution/engine/services.js";
import { agentReviewer } from "../execution/judgement/reviewer.js";
import { agentSession } from "../execution/workers/agent.js";
import { choiceFor } from "../execution/workers/choose.js";
import { shellSession } from "../execution/workers/shell.js";
import { withSafeConfig } from "../git/safe-config.js";
import { isPerson } from "../graph/actor.js";
import type { NoWorker } from "../graph/attempt/choose-worker.js";
import type { Node } from "../graph/node/node.js";
import { ok, type Result, usage } from "../graph/result.js";
import { isAlive, ownDriver } from "../process/liveness.js";
import { noteChildrenIn } from "../process/orphans.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** Who can be asked. */
export interface Staff {
  readonly settings: PlanningSettings;
  open(name: string): OpenedAgent | undefined;
  readonly agents: AgentsHere;
}

/** What execution operations work with: the services of an engine, and whoever asked for it. */
export interface Execution {
  /** As the engine: it acts as a daemon, which approves nothing. */
  readonly services: Omit<Services, "onEvent">;
  readonly settings: ExecutionSettings;
  readonly notifications: NotificationSettings;
  /** Runs work so that a later program can end what it started. */
  contain<T>(work: () => Promise<T>): Promise<T>;
}

export function openExecution(context: Context, env: Environment, staff: Staff, redact: Redact): Result<Execution> {
  let settings: ExecutionSettings;
  let notifications: NotificationSettings;
  try {
    settings = loadExecutionSettings(context.root);
    notifications = loadNotificationSettings(context.root);
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    return usage("bad-setting", error.message);
  }
  // The person who asked is named in the log, but a program does the work, and a program approves nothing.
  const actor = isPerson(context.actor) ? `daemon:${hostname()}` : context.actor;
  const services = {
    context: { ...context, actor },
    policy: settings,
    env,
    workerFor: (task: Node) => workerFor(staff, task, { redact }),
    reviewerFor: (task: Node) => reviewerFor(staff, task, redact),
    process: ownDriver(),
    isAlive,
    redact,
  };
  const running = join(context.root, ".planwright", "running");
  return ok({ services, settings, notifications, contain: (work) => contained(running, work) });
}

/** A later program can end what this work starts, and its git runs nothing that a worker put into the home folder. */
const contained = <T>(running: string, work: () => Promise<T>): Promise<T> =>
  noteChildrenIn(running, () => withSafeConfig(join(running, "git"), work));

interface Tools {
  readonly redact: Redact;
}

async function workerFor(staff: Staff, task: Node, tools: Tools): Promise<Worker | NoWorker> {
  const choice = await choiceFor(task, staff.settings, staff.agents);
  if (choice.kind === "shell") return shellWorker(choice.name, choice.command ?? undefined, tools);
  if (choice.kind === "none") return choice;
  const agent = staff.open(choice.serving.agent);
  if (!agent) return { agent: choice.serving.agent, problem: "unknown-agent" };
  return agentWorker(staff, agent, choice.serving, tools);
}

const shellWorker = (name: string, command: string | undefined, tools: Tools): Worker => ({
  as: { kind: "shell", name, model: null },
  begin: async (work) => shellSession(work, { ...tools, ...(command === undefined ? {} : { command }) }),
});

/** A model and an effort, as far as anybody has said something. */
function wishes({ settings }: Staff, { agent, model, effort }: Serving): Pick<Serving, "model" | "effort"> {
  const [wanted, hard] = [model ?? settings.agents[agent]?.model, effort ?? settings.agents[agent]?.effort];
  return { ...(wanted === undefined ? {} : { model: wanted }), ...(hard === undefined ? {} : { effort: hard }) };
}

const recorder =
  (redact: Redact) =>
  (session: Parameters<typeof recorded>[0], file: string): ReturnType<typeof recorded> => {
    mkdirSync(dirname(file), { recursive: true });
    return recorded(session, new Transcript({ file, redact, now: () => new Date() }));
  };

const agentWorker = (staff: Staff, agent: OpenedAgent, serving: Serving, { redact }: Tools): Worker => {
  const wished = wishes(staff, serving);
  return {
    as: { kind: "agent", name: agent.name, model: wished.model ?? null },
    begin: (work) => {
      const { windowTokens } = staff.settings;
      return agentSession(work, { agent, env: agent.env, ...wished, windowTokens, record: recorder(redact) });
    },
  };
};

/** Only where one is named for it: looking costs as much as working. */
async function reviewerFor(staff: Staff, _: Node, redact: Redact): ReturnType<Services["reviewerFor"]> {
  const serving = staff.settings.roles["reviewer"];
  const agent = serving && staff.open(serving.agent);
  if (!serving || !agent) return null;
  return agentReviewer({ agent, env: agent.env, ...wishes(staff, serving), record: recorder(redact) });
}
