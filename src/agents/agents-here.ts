// Which agents are installed on this machine. Finds their commands, starts nothing.

import type { Environment } from "../process/environment.js";
import { findCommand } from "../process/find.js";
import { KNOWN_AGENTS } from "./known.js";

type Configured = Readonly<Record<string, { readonly command?: string }>>;

export type AgentState = "installed" | "not-installed" | "unknown";

/** The command of an agent that is known by name or has one in the settings. */
export const commandOf = (name: string, { command }: { readonly command?: string }): string | undefined =>
  command ?? (Object.hasOwn(KNOWN_AGENTS, name) ? KNOWN_AGENTS[name]?.command : undefined);

/** How long an answer holds. A daemon notices an agent that is installed while it runs. */
const KEPT_MS = 10_000;

export class AgentsHere {
  readonly #configured: Configured;
  readonly #path: string | undefined;
  #found = new Map<string, Promise<AgentState>>();
  #since = 0;

  constructor(configured: Configured, env: Environment) {
    this.#configured = configured;
    this.#path = env["PATH"];
  }

  state(name: string): Promise<AgentState> {
    if (performance.now() - this.#since > KEPT_MS) {
      this.#found = new Map();
      this.#since = performance.now();
    }
    const known = this.#found.get(name) ?? this.#look(name);
    this.#found.set(name, known);
    return known;
  }

  /** The first that is installed: those in the settings come first. */
  async first(): Promise<string | null> {
    for (const name of [...Object.keys(this.#configured), ...Object.keys(KNOWN_AGENTS)]) {
      if ((await this.state(name)) === "installed") return name;
    }
    return null;
  }

  async #look(name: string): Promise<AgentState> {
    const command = commandOf(name, this.#configured[name] ?? {});
    if (command === undefined) return "unknown";
    return (await findCommand(command, this.#path, process.cwd())) === undefined ? "not-installed" : "installed";
  }
}
