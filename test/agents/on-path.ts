// An agent that is known by name on the PATH, as on the machine of most users: a real process that does what a script says.

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { Turn } from "../working.js";
import { SCRIPTED_AGENT } from "./scripted-agent.js";

export interface AgentOnPath {
  /** The variables of a program that finds it. */
  readonly env: { readonly HOME: string; readonly PATH: string };
  /** What it is to do from now on. */
  script(turns: readonly Turn[]): void;
  /** All prompts of each conversation, in the order in which they began; none if nobody asked it anything. */
  conversations(): string[][];
  /** Waits until it has begun to do so many turns of the script. */
  begun(turns: number): Promise<void>;
}

interface State {
  readonly sessions: Readonly<Record<string, string[]>>;
  readonly taken: readonly number[];
}

const TOOLS = ["bwrap", "cat", "git", "npm", "sh"];

/** The PATH of a machine with node, git and a shell, and no agent: a folder that is made here. */
export function pathWithoutAgents(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const path = (process.env["PATH"] ?? "").split(":");
  for (const tool of TOOLS) {
    const found = path.map((each) => join(each, tool)).find((file) => existsSync(file));
    if (found !== undefined) symlinkSync(found, join(folder, tool));
  }
  return folder;
}

/** Where it keeps what it was asked. `execution.writable` has to let it into a sandbox. */
export const stateOfAgentOnPath = (home: string): string => `${home}.agent/state`;

/** `home`: by which its processes can be known. `path`: what is on the PATH besides. */
export function agentOnPath(home: string, name = "claude", path = process.env["PATH"] ?? ""): AgentOnPath {
  // An installation as any other: programs in one folder, the rest of it beside that.
  const around = `${home}.agent`;
  const [bin, lib, own] = [join(around, "bin"), join(around, "lib"), stateOfAgentOnPath(home)];
  for (const folder of [bin, lib, own]) mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const [agent, script, state] = [join(lib, "agent.mjs"), join(lib, "script.json"), join(own, "state.json")];
  copyFileSync(SCRIPTED_AGENT, agent);
  writeFileSync(script, "[]");
  const words = [process.execPath, agent, script, state].map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, name), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(bin, name), 0o755);
  const read = (): State => {
    if (!existsSync(state)) return { sessions: {}, taken: [] };
    return JSON.parse(readFileSync(state, "utf8")) as State;
  };
  return {
    env: { HOME: home, PATH: `${bin}:${path}` },
    script: (turns) => writeFileSync(script, JSON.stringify(turns)),
    conversations: () => Object.values(read().sessions),
    begun: async (turns) => {
      await vi.waitUntil(() => read().taken.length >= turns, { timeout: 100_000 });
    },
  };
}
