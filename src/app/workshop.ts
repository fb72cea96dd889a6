// Composes execution: from the configuration and the environment to somebody who does each task.

import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";

import type { Context } from "../actions/context.js";
import { confirmTriage } from "../actions/question/triage.js";
import type { AgentsHere } from "../agents/agents-here.js";
import type { OpenedAgent } from "../agents/open-agent.js";
import type { Redact } from "../agents/redact.js";
import { recorded, Transcript } from "../agents/transcript.js";
import { type ExecutionSettings, loadExecutionSettings } from "../config/execution-settings.js";
import { loadNotificationSettings, type NotificationSettings } from "../config/notification-settings.js";
import type { PlanningSettings, Serving } from "../config/planning-settings.js";
import { BadSetting } from "../config/settings.js";
import { announcer } from "../execution/engine/announce-news.js";
import { provingEvidence } from "../execution/engine/auto-triage.js";
import { findDaemon, logFile, noteForeground, startDaemon, stopDaemon } from "../execution/engine/background.js";
import { Engine } from "../execution/engine/engine.js";
import { requireRepository } from "../execution/engine/require-repository.js";
import { work } from "../execution/engine/run-session.js";
import { serve } from "../execution/engine/serve.js";
import type { Services, Worker } from "../execution/engine/services.js";
import type { DaemonOptions, Workshop } from "../execution/engine/workshop.js";
import { openHandWork } from "../execution/hand-work/hand-work.js";
import { agentReviewer } from "../execution/judgement/reviewer.js";
import { land } from "../execution/landing/land.js";
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

export function openWorkshop(context: Context, env: Environment, staff: Staff, redact: Redact): Result<Workshop> {
  let settings: ExecutionSettings;
  let notifications: NotificationSettings;
  try {
    settings = loadExecutionSettings(context.root);
    notifications = loadNotificationSettings(context.root);
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    return usage("usage", error.message, { hint: "Mend that setting, then run the command again." });
  }
  const running = join(context.root, ".planwright", "running");
  // Whoever typed the command has a name in the log as well; but what works is a program, and it may approve nothing.
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
  const { root } = context;
  return ok({
    work: (options) => contained(running, () => work(services, options)),
    serve: async (asked) => {
      const repository = await requireRepository(context);
      if (!repository.ok) return repository;
      await contained(running, () => serveHere({ ...services, onEvent: asked.onEvent }, notifications, asked));
      return ok(undefined);
    },
    background: {
      find: () => findDaemon(root),
      start: (words) => startDaemon(root, [process.execPath, process.argv[1] as string, ...words], { ...env }),
      stop: () => stopDaemon(root),
      log: logFile(root),
    },
    byHand: openHandWork(services, context),
    land: (reference, options) =>
      contained(running, () =>
        land({ ...services, context, onEvent: (event) => options.onEvent(event) }, reference, options),
      ),
    confirmTriage: (id) =>
      contained(running, () => confirmTriage(context, id, provingEvidence({ ...services, context }))),
    keepDays: settings.keepDays,
  });
}

async function serveHere(
  services: Services,
  notifications: NotificationSettings,
  { workers = services.policy.workers, onEvent, ring, ...options }: DaemonOptions,
): Promise<void> {
  const { context, env, policy } = services;
  const { root } = context;
  const note = (text: string): void => onEvent({ type: "notice", text });
  const news = announcer(context, notifications, { ring, note, env, named: policy.env, root });
  const forget = noteForeground(root);
  try {
    await serve(services, new Engine(services, { obeysLevels: true, workers }), news, options);
  } finally {
    forget();
  }
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
