// Composes the engines: from the configuration and the environment to somebody who serves each role.

import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import type { Context } from "../actions/context.js";
import { AgentsHere } from "../agents/agents-here.js";
import { KNOWN_AGENTS } from "../agents/known.js";
import { type OpenedAgent, openAgent } from "../agents/open-agent.js";
import { type Redact, redactorFor } from "../agents/redact.js";
import { recorded, Transcript } from "../agents/transcript.js";
import { loadPlanningSettings, type PlanningSettings, type Serving } from "../config/planning-settings.js";
import { BadSetting } from "../config/settings.js";
import type { Result } from "../graph/result.js";
import { listAgents, type Office } from "../planning/agents.js";
import { OUTLINE, type PlannerLimits, type Services } from "../planning/driver/services.js";
import type { Role } from "../planning/machine/machine.js";
import { Planner } from "../planning/planner.js";
import { outlineAnswer } from "../planning/roles/outline-server.js";
import { agentServer, programServer, type RoleServer } from "../planning/roles/server.js";
import { surroundingsOf } from "../planning/surroundings.js";
import { isAlive } from "../process/liveness.js";
import { StoreFault } from "../store/fault.js";
import { type Execution, openExecution } from "./execution.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the outline planner can be; it judges nothing. */
const OUTLINE_ROLES: ReadonlySet<string> = new Set<Role>(["clarifier", "author"]);

/** In place of a name: nobody. */
const NOBODY = "none";

function settingsOf(root: string): PlanningSettings {
  try {
    return loadPlanningSettings(root);
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    throw new StoreFault({
      kind: "usage",
      reason: "usage",
      message: error.message,
      hint: "Mend that setting, then run the command again.",
    });
  }
}

class Roster {
  readonly settings: PlanningSettings;
  readonly #root: string;
  readonly #env: Environment;
  readonly #redact: Redact;
  readonly agents: AgentsHere;
  readonly #opened = new Map<string, OpenedAgent>();

  constructor(root: string, env: Environment, settings: PlanningSettings, redact: Redact) {
    this.#root = root;
    this.#env = env;
    this.#redact = redact;
    this.settings = settings;
    this.agents = new AgentsHere(settings.agents, env);
  }

  open(name: string): OpenedAgent | undefined {
    const known = this.#opened.get(name);
    if (known) return known;
    const agent = openAgent(
      name,
      this.settings.agents[name] ?? {},
      this.#env,
      join(this.#root, ".planwright", "running"),
    );
    if (!agent) return undefined;
    // Asking for a version starts a process: once is enough.
    let version: Promise<string | undefined> | undefined;
    const opened = { ...agent, version: () => (version ??= agent.version()) };
    this.#opened.set(name, opened);
    return opened;
  }

  /** What the configuration says, or the first agent that is there, or the outline planner. */
  async serving(role: string): Promise<Serving> {
    const { roles } = this.settings;
    const serving = roles[role] ?? roles["*"] ?? { agent: (await this.agents.first()) ?? OUTLINE };
    return serving.agent === OUTLINE && !OUTLINE_ROLES.has(role) ? { agent: NOBODY } : serving;
  }

  async isStandIn(agent: string | null): Promise<boolean> {
    const { roles } = this.settings;
    return (
      agent === null &&
      roles["author"] === undefined &&
      roles["*"] === undefined &&
      (await this.agents.first()) === null
    );
  }

  async server(role: Role, wish: Parameters<Services["serverFor"]>[1]): Promise<RoleServer | null> {
    const chosen = wish.agent === null ? await this.serving(role) : { agent: wish.agent };
    if (chosen.agent === OUTLINE) return OUTLINE_ROLES.has(role) ? programServer(OUTLINE, outlineAnswer) : null;
    if (chosen.agent === NOBODY) return null;
    const agent = this.open(chosen.agent);
    if (!agent) throw unknownAgent(chosen.agent);
    const model = wish.model ?? chosen.model ?? this.settings.agents[chosen.agent]?.model;
    const effort = wish.effort ?? chosen.effort ?? this.settings.agents[chosen.agent]?.effort;
    const redact = this.#redact;
    return agentServer({
      agent,
      cwd: this.#root,
      env: agent.env,
      ...(model === undefined ? {} : { model }),
      ...(effort === undefined ? {} : { effort }),
      record: (session, file) => {
        mkdirSync(dirname(file), { recursive: true });
        return recorded(session, new Transcript({ file, redact, now: () => new Date() }));
      },
    });
  }
}

const unknownAgent = (name: string): StoreFault =>
  new StoreFault({
    kind: "usage",
    reason: "unknown-agent",
    message: `There is no agent "${name}".`,
    hint: "`planwright agents` lists those that are known; planwright.json can name others.",
  });

export interface Engines {
  readonly planner: Planner;
  readonly office: Office;
  /** What carries a plan out; a bad setting of it is refused only here. */
  execution(): Result<Execution>;
}

export function openEngines(context: Context, env: Environment): Engines {
  const settings = settingsOf(context.root);
  const redact = redactorFor(env);
  const roster = new Roster(context.root, env, settings, redact);
  const services: Services = {
    context,
    limits: limitsOf(settings),
    around: surroundingsOf(context.root, env["HOME"], env["PATH"] ?? ""),
    serverFor: (role, wish) => roster.server(role, wish),
    isStandIn: (agent) => roster.isStandIn(agent),
    redact,
    transcripts: join(context.root, ".planwright", "transcripts"),
    process: `${hostname()}/${process.pid}`,
    isAlive,
  };
  return {
    planner: new Planner(services),
    execution: () => openExecution(context, env, roster, redact),
    office: listAgents({ roster, root: context.root, known: Object.keys(KNOWN_AGENTS) }),
  };
}

/** The limits alone: what is kept with a run must not hold what agents are started with. */
const limitsOf = ({
  roleTimeoutMinutes,
  windowTokens,
  answerHours,
  maxCostUsd,
  maxTokens,
  revisions,
  overviews,
}: PlanningSettings): PlannerLimits => ({
  roleTimeoutMinutes,
  windowTokens,
  answerHours,
  maxCostUsd,
  maxTokens,
  revisions,
  overviews,
});
