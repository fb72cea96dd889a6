// Who is asking: said outright, or seen from the environment. This is honesty between cooperating
// processes, not a lock; docs/security.md says what it does not protect against.

import type { Environment } from "../process/environment.js";

/** Variables that coding agents set for the commands they run. */
const AGENTS: readonly (readonly [variable: string, name: string])[] = [
  ["CLAUDECODE", "claude-code"],
  ["CODEX_SANDBOX", "codex"],
  ["CODEX_THREAD_ID", "codex"],
  ["GEMINI_CLI", "gemini-cli"],
  ["OPENCODE", "opencode"],
  ["QWEN_CODE", "qwen-code"],
  ["COPILOT_CLI", "copilot-cli"],
  ["CURSOR_AGENT", "cursor"],
  ["AMP_THREAD_ID", "amp"],
];

const word = (name: string): string => name.replace(/[\s:]+/g, "-") || "unknown";

export function actorFrom(flag: string | undefined, env: Environment): string {
  const said = flag ?? env["PLANWRIGHT_ACTOR"];
  if (said !== undefined) return said;
  const agent = AGENTS.find(([variable]) => (env[variable] ?? "") !== "");
  if (agent) return `agent:${agent[1]}`;
  return `human:${word(env["USER"] ?? env["USERNAME"] ?? process.getBuiltinModule("node:os").userInfo().username)}`;
}
