// Codex: `codex exec` and `codex exec resume`, one process for each prompt. It confines commands by a sandbox of the
// operating system; a resumed thread forgets the sandbox and the model, so both are said every time.

import type { SessionSpec } from "./agent.js";
import { type CodexReading, readCodex } from "./codex-events.js";
import type { Conversation, Reply, TurnRequest } from "./conversation.js";
import { joinId, splitId } from "./conversation.js";
import { flagWith } from "./known.js";
import { NO_TOKENS, type Reading, type Tokens, tokensSince } from "./ledger.js";
import { SUBMIT_SERVER } from "./mcp.js";
import { describeExit, type Launch, OneShotProcess } from "./one-shot.js";
import { DOOR_TOKEN } from "./submit.js";

const SANDBOX = { read: "read-only", write: "workspace-write" } as const;

/** A machine may be busy. */
const CONNECT_S = 60;

const LOST = /no rollout found for thread/i;

export interface CodexCall {
  readonly spec: SessionSpec;
  readonly threadId?: string;
  readonly submitAt?: string;
}

export function codexArguments({ spec, threadId, submitAt }: CodexCall): string[] {
  // Values are TOML; JSON strings are TOML strings.
  const set = (key: string, value: string): string[] => ["-c", `${key}=${JSON.stringify(value)}`];
  const server = `mcp_servers.${SUBMIT_SERVER}`;
  return [
    "exec",
    ...(threadId === undefined ? [] : ["resume", threadId]),
    "--json",
    "--skip-git-repo-check",
    ...set("sandbox_mode", SANDBOX[spec.access]),
    // No person can answer here.
    ...set("approval_policy", "never"),
    ...flagWith("-m", spec.model),
    ...(spec.effort === undefined ? [] : set("model_reasoning_effort", spec.effort)),
    ...(submitAt === undefined
      ? []
      : [
          ...set(`${server}.url`, submitAt),
          ...set(`${server}.bearer_token_env_var`, DOOR_TOKEN),
          ...set(`${server}.default_tools_approval_mode`, "approve"),
          // Otherwise it asks the model after a second, with or without our tools.
          ...flagWith("-c", `${server}.required=true`),
          ...flagWith("-c", `${server}.startup_timeout_sec=${CONNECT_S}`),
        ]),
    "-",
  ];
}

const noteOf = ({ input, cached, output }: Tokens): string => [input, cached, output].join(".");

function tokensOf(note: string): Tokens {
  const [input = 0, cached = 0, output = 0] = note.split(".").map((part) => Number(part) || 0);
  return { input, cached, output };
}

export class CodexConversation implements Conversation {
  readonly doors = "each-prompt";
  readonly #launch: Launch;
  readonly #spec: SessionSpec;
  readonly #process: OneShotProcess;
  #threadId: string | undefined;
  #counted: Tokens = NO_TOKENS;

  constructor(launch: Launch, spec: SessionSpec) {
    this.#launch = launch;
    this.#spec = spec;
    this.#process = new OneShotProcess(spec);
    if (spec.resume === undefined) return;
    const { agentsId, note } = splitId(spec.resume);
    this.#threadId = agentsId;
    this.#counted = tokensOf(note);
  }

  get id(): string | null {
    return this.#threadId === undefined ? null : joinId(this.#threadId, noteOf(this.#counted));
  }

  async prompt(ask: TurnRequest): Promise<Reply> {
    let end: CodexReading["end"];
    let reading: Reading | undefined;
    const exit = await this.#process.run(
      {
        ...this.#launch,
        title: "Codex",
        args: this.#arguments(ask),
        onLine: (line) => {
          const read = readCodex(line);
          this.#threadId ??= read.threadId;
          end = read.end ?? end;
          if (read.totalTokens !== undefined) reading = this.#reading(read.totalTokens);
          for (const event of read.events) ask.onEvent(event);
        },
      },
      ask,
    );
    const rest = reading === undefined ? {} : { reading };
    if (exit.cancelled) return { ending: "cancelled", ...rest };
    if (exit.notStarted !== undefined) return { ending: "unavailable", message: describeExit("Codex", exit) };
    if (end === undefined)
      return { ending: "crashed", message: describeExit("Codex", exit), ...this.#lost(exit.stderr) };
    return { ...end, ...rest };
  }

  async close(): Promise<void> {
    await this.#process.end();
  }

  #lost(stderr: string): Pick<Reply, "lost"> {
    if (this.#threadId === undefined || !LOST.test(stderr)) return {};
    [this.#threadId, this.#counted] = [undefined, NO_TOKENS];
    return { lost: true };
  }

  #arguments({ door }: TurnRequest): string[] {
    const args = codexArguments({
      spec: this.#spec,
      ...(this.#threadId !== undefined && { threadId: this.#threadId }),
      ...(door !== undefined && { submitAt: door.address }),
    });
    // The last argument stands for standard input and stays last.
    return [...args.slice(0, -1), ...this.#launch.args, "-"];
  }

  #reading(total: Tokens): Reading {
    const tokens = tokensSince(this.#counted, total);
    this.#counted = total;
    return { tokens, ...(this.#spec.model !== undefined && { model: this.#spec.model }) };
  }
}
