// Where coding agents keep their own things in the home folder: the one list for the sandbox, which lets them write
// there, and for the start of an agent, which makes what is missing.

import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../errors.js";

interface AgentFolders {
  /** Login and sessions. It does not start, or forgets its conversation, if it cannot write there. */
  readonly state: readonly string[];
  /** A file beside them that it writes as well, if there is one. */
  readonly file?: string;
  /** A file that it makes at its first start in a folder that is read-only here. */
  readonly empty?: string;
  /** What it obeys when you start it yourself, outside: hooks, instructions, settings. */
  readonly orders: readonly string[];
}

const below = (folder: string, names: readonly string[]): string[] => names.map((name) => `${folder}/${name}`);

const AGENT_FOLDERS: Readonly<Record<string, AgentFolders>> = {
  claude: {
    state: [".claude"],
    file: ".claude.json",
    orders: below(".claude", [
      "settings.json",
      "settings.local.json",
      "CLAUDE.md",
      "agents",
      "commands",
      "hooks",
      "plugins",
      "skills",
    ]),
  },
  codex: {
    state: [".codex"],
    orders: below(".codex", ["config.toml", "AGENTS.md", "hooks.json", "prompts", "rules"]),
  },
  copilot: { state: [".copilot"], orders: [] },
  gemini: { state: [".gemini"], orders: below(".gemini", ["settings.json", "GEMINI.md", "extensions", "commands"]) },
  opencode: {
    state: [".config/opencode", ".local/share/opencode", ".local/state/opencode"],
    empty: ".config/opencode/.gitignore",
    orders: [".config/opencode"],
  },
  qwen: { state: [".qwen"], orders: below(".qwen", ["settings.json", "QWEN.md", "extensions", "commands"]) },
};

/** Of all agents that are known, relative to the home folder. */
export const WRITABLE = Object.values(AGENT_FOLDERS).flatMap(({ state, file }) => [...state, ...(file ? [file] : [])]);
export const ORDERS = Object.values(AGENT_FOLDERS).flatMap(({ orders }) => orders);

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
