// Which agents are installed on this machine. Finds their commands, starts nothing.

import { clockMs } from "../process/clock.js";
import type { Environment } from "../process/environment.js";
import { findCommand } from "../process/environment.js";
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
  #found = new Map<string, AgentState>();
  #since = 0;

  constructor(configured: Configured, env: Environment) {
    this.#configured = configured;
    this.#path = env["PATH"];
  }

  state(name: string): AgentState {
    if (clockMs() - this.#since > KEPT_MS) {
      this.#found = new Map();
      this.#since = clockMs();
    }
    const known = this.#found.get(name) ?? this.#look(name);
    this.#found.set(name, known);
    return known;
  }

  /** The first that is installed: those in the settings come first. */
  first(): string | null {
    const names = [...Object.keys(this.#configured), ...Object.keys(KNOWN_AGENTS)];
    return names.find((name) => this.state(name) === "installed") ?? null;
  }

  #look(name: string): AgentState {
    const command = commandOf(name, this.#configured[name] ?? {});
    if (command === undefined) return "unknown";
    return findCommand(command, this.#path, process.cwd()) === undefined ? "not-installed" : "installed";
  }
}
