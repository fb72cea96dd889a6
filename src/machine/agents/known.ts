// The agents that are known by name: how each is started, confined, counted and installed. Everything that differs
// between agents of one protocol is in this table, as the contract tests have seen it.

import { clockMs } from "../process/clock.js";
import { type Environment, findCommand } from "../process/environment.js";
import type { AcpTraits } from "./acp-connection.js";
import type { Capabilities, SessionSpec } from "./agent.js";

export interface KnownAgent {
  readonly title: string;
  readonly command: string;
  readonly capabilities: Capabilities;
  /** Environment variables that it documents, beside the common ones. A star stands for any ending. */
  readonly variables: readonly string[];
  /** For people: what keeps a session of each access within its bounds. */
  readonly confinement: { readonly read: string; readonly write: string };
  readonly install: string;
  /** Takes seconds to say its version, and its package says the same. */
  readonly versionInPackage?: boolean;
  readonly driver: "claude" | "codex" | Omit<AcpTraits, "name" | "command" | "running">;
}

export const flagWith = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [name, value];

/** Agents that ask before they change or run anything. */
const ASKS = {
  read: "requests to change or run anything are refused",
  write: "requests to change files outside the folder are refused; commands run with your rights",
};
/** The same with permissions of their own for a session that only reads. */
const DENIES = { ...ASKS, read: "its own permissions deny edits and commands" };

const CLAUDE: KnownAgent = {
  title: "Claude Code",
  command: "claude",
  capabilities: { resume: true, structured: "submit", usage: "tokens and cost" },
  variables: ["ANTHROPIC_*", "CLAUDE_CODE_*", "CLAUDE_CONFIG_DIR", "DISABLE_AUTOUPDATER"],
  confinement: {
    read: "only the tools Read, Grep and Glob exist; anything that would ask is denied",
    write: "edits outside the folder are denied; commands run with your rights",
  },
  install: "npm install -g @anthropic-ai/claude-code",
  driver: "claude",
};

const CODEX: KnownAgent = {
  title: "Codex",
  command: "codex",
  capabilities: { resume: true, structured: "submit", usage: "tokens" },
  variables: ["OPENAI_*", "CODEX_*"],
  confinement: {
    read: "its sandbox mounts everything read-only",
    write: "its sandbox lets commands write only in the folder and in temporary folders, without network",
  },
  install: "npm install -g @openai/codex",
  driver: "codex",
};

const GEMINI: KnownAgent = {
  title: "Gemini CLI",
  command: "gemini",
  capabilities: { resume: true, structured: "submit", usage: "tokens" },
  variables: ["GEMINI_*", "GOOGLE_*"],
  confinement: ASKS,
  install: "npm install -g @google/gemini-cli",
  versionInPackage: true,
  driver: {
    args: ({ model }) => ["--acp", "--skip-trust", "--approval-mode", "default", ...flagWith("--model", model)],
    // Otherwise it starts itself again as a child, and the first process waits.
    env: () => ({ GEMINI_CLI_NO_RELAUNCH: "true" }),
    counting: "this turn",
    // The file of a conversation is called by the minute and the id. Loading begins a file of that name before it looks
    // for the conversation, which hides the one that is there; the space is left out only in looking.
    youngName: (id) => ` ${id}`,
  },
};

/** Our settings on top of what the user's own variable says. */
function opencodeConfig({ access, env }: SessionSpec): Readonly<Record<string, string>> {
  let own: Record<string, unknown> = {};
  try {
    own = JSON.parse(env["OPENCODE_CONFIG_CONTENT"] ?? "{}") as Record<string, unknown>;
  } catch {
    // It would not have understood it either.
  }
  const permission =
    access === "read"
      ? { edit: "deny", bash: "deny", external_directory: "deny" }
      : { edit: "ask", bash: "ask", external_directory: "deny" };
  const content = { ...own, autoupdate: false, share: "disabled", permission };
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify(content), OPENCODE_DISABLE_AUTOUPDATE: "1" };
}

const OPENCODE: KnownAgent = {
  title: "opencode",
  command: "opencode",
  capabilities: { resume: true, structured: "submit", usage: "tokens and cost" },
  variables: ["OPENCODE_*", "ANTHROPIC_*", "OPENAI_*", "GEMINI_*", "GOOGLE_*", "OPENROUTER_*", "GROQ_*"],
  confinement: DENIES,
  install: "npm install -g opencode-ai",
  versionInPackage: true,
  driver: { args: () => ["acp"], env: opencodeConfig, counting: "this turn" },
};

const COPILOT_READ = ["--deny-tool=write", "--deny-tool=shell"];

const COPILOT: KnownAgent = {
  title: "GitHub Copilot CLI",
  command: "copilot",
  capabilities: { resume: true, structured: "submit", usage: "tokens" },
  variables: ["COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST"],
  confinement: DENIES,
  install: "npm install -g @github/copilot",
  driver: {
    args: ({ access, model, effort }) => [
      "--acp",
      "--disable-builtin-mcps",
      ...(access === "read" ? COPILOT_READ : []),
      ...flagWith("--model", model),
      ...flagWith("--reasoning-effort", effort),
    ],
    env: () => ({ COPILOT_AUTO_UPDATE: "false" }),
    counting: "since the process began",
  },
};

const QWEN: KnownAgent = {
  title: "Qwen Code",
  command: "qwen",
  capabilities: { resume: true, structured: "submit", usage: "none" },
  variables: ["QWEN_*", "OPENAI_*", "DASHSCOPE_*"],
  confinement: ASKS,
  install: "npm install -g @qwen-code/qwen-code",
  driver: {
    // By default it lets a model decide instead of asking us.
    args: ({ model }) => ["--acp", "--approval-mode", "default", ...flagWith("--model", model)],
    env: () => ({ QWEN_CODE_NO_RELAUNCH: "true" }),
    counting: "not at all",
    connectsLate: true,
  },
};

export const KNOWN_AGENTS: Readonly<Record<string, KnownAgent>> = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  opencode: OPENCODE,
  copilot: COPILOT,
  qwen: QWEN,
};

/** Any other command that speaks the Agent Client Protocol. It is taken at its word for what it can. */
export const customAgent = (name: string, command: string): KnownAgent => ({
  title: name,
  command,
  capabilities: { resume: true, structured: "submit", usage: "tokens" },
  variables: [],
  confinement: {
    read: "requests to change or run anything are refused; an agent that does not ask is not stopped",
    write: "requests to change files outside the folder are refused; an agent that does not ask is not stopped",
  },
  install: `See how to install ${command}.`,
  driver: { args: () => [], env: () => ({}), counting: "since the session began" },
});

type Configured = Readonly<Record<string, { readonly command?: string }>>;

type AgentState = "installed" | "not-installed" | "unknown";

/** The command of an agent that is known by name or has one in the settings. */
const commandOf = (name: string, { command }: { readonly command?: string }): string | undefined =>
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
