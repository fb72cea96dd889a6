// From a name in the configuration to an agent that can be asked.

import { realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isRecord } from "../../base/json.js";
import { findPlainFile } from "../../base/plain-file.js";
import { environmentFor, findCommand } from "../process/environment.js";
import { endOrphans } from "../process/orphans.js";
import { run } from "../process/run.js";
import type { Agent, AgentSession, Effort, SessionSpec } from "./agent.js";
import type { Conversation } from "./conversation.js";
import { customAgent, KNOWN_AGENTS, type KnownAgent } from "./known.js";
import { LIST_PRICES, type Prices } from "./ledger.js";
import { type Launch, parseLine } from "./one-shot.js";

/** `agents.NAME` of the configuration. A name that is not known needs a command that speaks ACP. */
export interface AgentLaunch {
  readonly command?: string;
  /** For a known agent, added to its own. */
  readonly args?: readonly string[];
  /** Names of variables that it may see beside its own and the common ones. */
  readonly env?: readonly string[];
  readonly model?: string;
  readonly effort?: Effort;
  readonly prices?: Prices;
}

export interface OpenedAgent extends Agent {
  readonly known: KnownAgent;
  /** The file that is started, or undefined if there is none. */
  find(): string | undefined;
  /** What it may see of our environment. */
  readonly env: Readonly<Record<string, string>>;
}

const VERSION_MS = 20_000;

function versionIn(output: string): string | undefined {
  return /(?<![\d.])\d+\.\d+[\w.+-]*(?<![.])/.exec(output)?.[0];
}

/** Loaded when an agent starts: a hand-in that starts none takes an eighth less processor time. */
async function converse({ driver, title }: KnownAgent, launch: Launch, spec: SessionSpec): Promise<Conversation> {
  if (driver === "claude") return new (await import("./claude.js")).ClaudeConversation(launch, spec);
  if (driver === "codex") return new (await import("./codex.js")).CodexConversation(launch, spec);
  const { AcpConversation } = await import("./acp.js");
  const { command, args, running } = launch;
  return new AcpConversation(
    { ...driver, name: title, command, running, args: (from) => [...driver.args(from), ...args] },
    spec,
  );
}

/**
 * Undefined if the name is not known and there is no command. Nothing is started yet. With a folder to note in what
 * runs, whatever an earlier program that was killed has left there is ended before anything else is started.
 */
export function openAgent(
  name: string,
  settings: AgentLaunch,
  environment: Readonly<Record<string, string | undefined>>,
  running?: string,
): OpenedAgent | undefined {
  const listed = Object.hasOwn(KNOWN_AGENTS, name) ? KNOWN_AGENTS[name] : undefined;
  const known = listed ?? (settings.command === undefined ? undefined : customAgent(name, settings.command));
  if (known === undefined) return undefined;
  const command = settings.command ?? known.command;
  const args = settings.args ?? [];
  const env = environmentFor(environment, [...known.variables, ...(settings.env ?? [])]);
  const prices = { ...LIST_PRICES, ...settings.prices };
  const find = (): string | undefined => findCommand(command, env["PATH"], process.cwd());
  return {
    name,
    known,
    capabilities: known.capabilities,
    env,
    find,
    async version() {
      const file = find();
      if (file === undefined) return undefined;
      const packed = known.versionInPackage === true ? await packageVersion(file) : undefined;
      if (packed !== undefined) return packed;
      // A custom command may be an interpreter: its version would be that of another program.
      const asked = listed === undefined ? [...args, "--version"] : ["--version"];
      const result = await run({ command: file, args: asked, env, timeoutMs: VERSION_MS });
      return versionIn(result.stdout) ?? (result.exitCode === 0 ? "unknown" : undefined);
    },
    async start(spec): Promise<AgentSession> {
      if (running !== undefined) await endOrphans(running);
      const file = findCommand(command, spec.env["PATH"], spec.cwd) ?? command;
      const model = spec.model ?? settings.model;
      const effort = spec.effort ?? settings.effort;
      const whole = { ...spec, ...(model !== undefined && { model }), ...(effort !== undefined && { effort }) };
      const { ConversationSession } = await import("./session.js");
      return new ConversationSession(await converse(known, { command: file, args, running }, whole), whole, prices);
    },
  };
}

// What version of a program is installed, by the package that it belongs to: for programs that take seconds to say it.

/** Undefined for a file that no package near it calls its command. */
export async function packageVersion(file: string): Promise<string | undefined> {
  const program = await realpath(file).catch(() => file);
  for (let folder = dirname(program); folder !== dirname(folder); folder = dirname(folder)) {
    const text = findPlainFile(join(folder, "package.json"));
    if (text === undefined) continue;
    const { version, bin } = parseLine(text) ?? {};
    const commands = isRecord(bin) ? Object.values(bin) : [bin];
    const isIts = commands.some((command) => typeof command === "string" && resolve(folder, command) === program);
    return isIts && typeof version === "string" ? version : undefined;
  }
  return undefined;
}
