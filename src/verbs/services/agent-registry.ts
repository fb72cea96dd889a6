// The agents of a workspace: opened by name, chosen for roles. Which agent serves a role is decided in
// `planning/roles/agents.ts`.

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadPlanningSettings, type PlanningSettings, type Serving } from "../../config/planning-settings.js";
import type { AgentSession, Effort } from "../../machine/agents/agent.js";
import { AgentsHere, KNOWN_AGENTS } from "../../machine/agents/known.js";
import { type OpenedAgent, openAgent } from "../../machine/agents/open-agent.js";
import { type Redact, redactorFor } from "../../machine/agents/redact.js";
import { recorded, Transcript } from "../../machine/agents/transcript.js";
import type { Environment } from "../../machine/process/environment.js";
import { type AgentCatalogue, chooseAgent } from "../../planning/roles/agents.js";

export class AgentRegistry implements AgentCatalogue {
  readonly settings: PlanningSettings;
  /** Takes secrets out of what is kept of a conversation. */
  readonly redact: Redact;
  readonly installed: AgentsHere;
  readonly #root: string;
  readonly #env: Environment;
  readonly #opened = new Map<string, OpenedAgent>();

  constructor(root: string, env: Environment) {
    this.#root = root;
    this.#env = env;
    this.settings = loadPlanningSettings(root, env);
    this.redact = redactorFor(env);
    this.installed = new AgentsHere(this.settings.agents, env);
  }

  get names(): string[] {
    return [...new Set([...Object.keys(KNOWN_AGENTS), ...Object.keys(this.settings.agents)])];
  }

  get profiles(): PlanningSettings["profiles"] {
    return this.settings.profiles;
  }

  open(name: string): OpenedAgent | undefined {
    const known = this.#opened.get(name);
    if (known) return known;
    const running = join(this.#root, ".planwright", "running");
    const agent = openAgent(name, this.settings.agents[name] ?? {}, this.#env, running);
    if (!agent) return undefined;
    // Asking for a version starts a process: once is enough.
    let version: Promise<string | undefined> | undefined;
    const opened = { ...agent, version: () => (version ??= agent.version()) };
    this.#opened.set(name, opened);
    return opened;
  }

  serving(role: string): Serving {
    const { roles } = this.settings;
    const isNamed = roles[role] !== undefined || roles["*"] !== undefined;
    return chooseAgent(role, roles, isNamed ? null : this.installed.first());
  }

  /** A model and an effort, as far as the call, the role or the agent's own settings name them. */
  wishes({ agent, model, effort }: Serving): { readonly model?: string; readonly effort?: Effort } {
    const own = this.settings.agents[agent];
    const [wanted, hard] = [model ?? own?.model, effort ?? own?.effort];
    return { ...(wanted !== undefined && { model: wanted }), ...(hard !== undefined && { effort: hard }) };
  }

  readonly record = (session: AgentSession, file: string): AgentSession => {
    mkdirSync(dirname(file), { recursive: true });
    return recorded(session, new Transcript({ file, redact: this.redact, now: () => new Date() }));
  };
}
