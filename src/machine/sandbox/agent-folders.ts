// Where coding agents keep their own things in the home folder: the one list for the sandbox, which lets them write
// there, and for the start of an agent, which makes what is missing.

import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../base/errors.js";

interface AgentFolders {
  /** Login and sessions. It does not start, or forgets its conversation, if it cannot write there. */
  readonly state: readonly string[];
  /** A file beside them that it writes as well, if there is one. */
  readonly file?: string;
  /** A file that it makes at its first start in a folder that is read-only here. */
  readonly empty?: string;
  /** What it obeys when you start it yourself, outside: hooks, instructions, settings. */
  readonly orders: readonly string[];
  /** The orders that the agent itself never writes at a start; all of them if this is left out. */
  readonly watched?: readonly string[];
}

const below = (folder: string, names: string): string[] => names.split(" ").map((name) => `${folder}/${name}`);

const AGENT_FOLDERS: Readonly<Record<string, AgentFolders>> = {
  claude: {
    state: [".claude"],
    file: ".claude.json",
    orders: below(
      ".claude",
      "settings.json settings.local.json CLAUDE.md agents commands hooks output-styles plugins rules skills",
    ),
  },
  codex: {
    state: [".codex"],
    orders: below(".codex", "config.toml AGENTS.md AGENTS.override.md agents hooks hooks.json prompts rules skills"),
  },
  copilot: {
    state: [".copilot"],
    orders: below(
      ".copilot",
      "mcp-config.json lsp-config.json copilot-instructions.md agents hooks instructions skills",
    ),
  },
  gemini: {
    state: [".gemini"],
    orders: below(".gemini", "settings.json .env GEMINI.md agents commands extensions hooks policies skills"),
  },
  opencode: {
    state: [".config/opencode", ".local/share/opencode", ".local/state/opencode"],
    empty: ".config/opencode/.gitignore",
    orders: [".config/opencode"],
    // It installs packages beside them.
    watched: below(
      ".config/opencode",
      "opencode.json opencode.jsonc AGENTS.md agent agents command commands plugin plugins skill skills tool tools",
    ),
  },
  qwen: {
    state: [".qwen"],
    orders: below(".qwen", "settings.json .env QWEN.md agents commands extensions hooks skills"),
  },
};

/** The folders of all known agents, relative to the home folder. */
export const WRITABLE = Object.values(AGENT_FOLDERS).flatMap(({ state, file }) => [...state, ...(file ? [file] : [])]);
export const ORDERS = Object.values(AGENT_FOLDERS).flatMap(({ orders }) => orders);

/**
 * What agents write themselves, some at their first start. A plugin does nothing before the settings name it, and of
 * these settings only the parts that start programs are looked at.
 */
export const KEPT_BY_AGENTS: readonly string[] = [
  ".claude/plugins",
  ".codex/skills/.system",
  ".gemini/extensions/extension-enablement.json",
  ".gemini/settings.json",
  ".qwen/extensions/extension-enablement.json",
  ".qwen/settings.json",
];
/** What only a person writes: if it appears while a worker works, it was planted. */
export const OBEYED_FILES = Object.values(AGENT_FOLDERS).flatMap(({ orders, watched }) => watched ?? orders);

/** In a sandbox an agent that never ran before cannot make its own folders. What cannot be made is the agent's to complain about. */
export async function makeAgentFolders(agent: string, home: string | undefined): Promise<void> {
  const folders = Object.hasOwn(AGENT_FOLDERS, agent) ? AGENT_FOLDERS[agent] : undefined;
  if (home === undefined || folders === undefined) return;
  try {
    for (const folder of folders.state) await mkdir(join(home, folder), { recursive: true, mode: 0o700 });
    if (folders.empty !== undefined) await appendFile(join(home, folders.empty), "");
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}
