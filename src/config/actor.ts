// Who is asking: said outright, or seen from the environment. `human:NAME` needs a proof.

import type { Environment } from "../machine/process/environment.js";
import { findSecret } from "./person.js";

/** Variables that coding agents set for the commands they run. */
const AGENTS: readonly (readonly [variable: string, name: string])[] = [
  ["CLAUDECODE", "claude-code"],
  ["CODEX_SANDBOX", "codex"],
  ["CODEX_THREAD_ID", "codex"],
  ["GEMINI_CLI", "gemini-cli"],
  ["OPENCODE", "opencode"],
  ["QWEN_CODE", "qwen-code"],
  ["COPILOT_CLI", "copilot-cli"],
  ["COPILOT_AGENT_SESSION_ID", "copilot-cli"],
  ["CURSOR_AGENT", "cursor"],
  ["AMP_THREAD_ID", "amp"],
  ["GOOSE_TERMINAL", "goose"],
  ["CLINE_ACTIVE", "cline"],
  ["AI_AGENT", "unknown"],
];

/** Variables that show that an agent asks. */
export const AGENT_VARIABLES: readonly string[] = AGENTS.map(([variable]) => variable);

/** Variables in which coding agents name the conversation that a command belongs to. */
const CONVERSATIONS = [
  "CLAUDE_CODE_SESSION_ID",
  "CODEX_THREAD_ID",
  "GEMINI_SESSION_ID",
  "COPILOT_AGENT_SESSION_ID",
] as const;

/** The conversation that runs this command, if its host says so. */
export const conversationIn = (env: Environment): string | undefined =>
  CONVERSATIONS.map((variable) => env[variable]).find((name) => name !== undefined && name !== "");

/** A caller without proof that sets none of these. */
export const UNKNOWN_AGENT = "agent:unknown";

export interface Caller {
  /** `human:NAME` or `agent:NAME`; otherwise the environment tells. */
  readonly actor: string | undefined;
  readonly env: Environment;
  /** Whether the command was typed at a terminal. */
  readonly isAtTerminal?: (() => boolean) | undefined;
  /** The program that asked the person, if they answered there and trusted it to ask. */
  readonly through?: string | undefined;
}

export type PersonProof =
  | { readonly kind: "secret"; readonly secret: string }
  | { readonly kind: "terminal" }
  /** The person answered in this program, which they trusted to ask them. */
  | { readonly kind: "client"; readonly client: string }
  /** `why` completes "Nothing proves that a person asks: …". `key`: of the secret that the plan does not know. */
  | { readonly kind: "none"; readonly why: string; readonly key?: string };

export interface Identity {
  readonly actor: string;
  readonly proof: PersonProof;
}

/** The agent that runs this command, if one says so. Our workers get their actor in the environment. */
export function agentIn(env: Environment): string | undefined {
  const found = AGENTS.find(([variable]) => (env[variable] ?? "") !== "");
  if (found) return `agent:${found[1]}`;
  const told = env["PLANWRIGHT_ACTOR"];
  if (told?.startsWith("agent:")) return told;
  return OF_WORKERS.some((variable) => (env[variable] ?? "") !== "") ? "agent:worker" : undefined;
}

/** What we set for what we start. A worker that gives itself another name in PLANWRIGHT_ACTOR is known by these. */
const OF_WORKERS = ["PLANWRIGHT_ATTEMPT", "PLANWRIGHT_CHILD"];

/**
 * The agent that started this program as a command; undefined if a host itself started it, as one of its servers. Hosts mark both, in
 * other ways: a marker that only commands have says that it was the agent.
 */
export function agentOfCommand(env: Environment): string | undefined {
  const told = env["PLANWRIGHT_ACTOR"];
  if (told?.startsWith("agent:")) return told;
  const decides = [...AGENTS, ...COMMANDS_ONLY].find(
    ([variable]) => (env[variable] ?? "") !== "" && SERVERS_TOO[variable]?.(env) !== true,
  );
  return decides && `agent:${decides[1]}`;
}

const COMMANDS_ONLY = [["CLAUDE_CODE_CHILD_SESSION", "claude-code"]] as const;

/** Claude Code names itself in AI_AGENT: `…_harness` for servers, `…_agent` for commands. */
const isHarness = ({ AI_AGENT: name = "" }: Environment): boolean => /^claude-code_.*_harness$/.test(name);

/** Markers that hosts also set for their servers, and when they do. */
const SERVERS_TOO: Readonly<Record<string, (env: Environment) => boolean>> = {
  CLAUDECODE: isHarness,
  AI_AGENT: isHarness,
  COPILOT_AGENT_SESSION_ID: () => true,
};

export function identifyCaller({ actor, env, isAtTerminal, through }: Caller, root: string): Identity {
  const said = actor ?? env["PLANWRIGHT_ACTOR"];
  // A host marks the servers that it starts as well. What the person answers there is theirs.
  const agent = through === undefined ? agentIn(env) : undefined;
  if (said !== undefined && !said.startsWith("human:")) return { actor: said, proof: NOT_ASKED };
  if (said === undefined && agent !== undefined) return { actor: agent, proof: NOT_ASKED };
  const proof: PersonProof =
    through === undefined ? prove(env, root, agent, isAtTerminal) : { kind: "client", client: through };
  if (said !== undefined) return { actor: said, proof };
  return { actor: proof.kind === "none" ? UNKNOWN_AGENT : `human:${userOf(env)}`, proof };
}

const NOT_ASKED: PersonProof = { kind: "none", why: "an agent asks" };

/** Whatever works on this machine without a person. */
export const daemonHere = (): string => `daemon:${process.getBuiltinModule("node:os").hostname()}`;

/** The person whose machine this is. */
export function userOf(env: Environment): string {
  const name = env["USER"] ?? env["USERNAME"] ?? process.getBuiltinModule("node:os").userInfo().username;
  return name.replace(/[\s:]+/g, "-") || "unknown";
}

/** Inside an agent only a secret in the environment counts: any program of the user can read the file, and open a terminal. */
function prove(env: Environment, root: string, agent: string | undefined, isAtTerminal?: () => boolean): PersonProof {
  const found = findSecret(env, root);
  if (found.kind === "found" && (agent === undefined || found.from === "variable")) {
    return { kind: "secret", secret: found.secret };
  }
  if (agent !== undefined) return { kind: "none", why: `this command runs inside ${agent.slice("agent:".length)}` };
  if (isAtTerminal?.()) return { kind: "terminal" };
  if (found.kind === "unusable") return { kind: "none", why: found.problem.replace(/\.$/, "") };
  return { kind: "none", why: "there is no terminal and no secret" };
}
