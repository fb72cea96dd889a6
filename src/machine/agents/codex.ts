// Codex: `codex exec` and `codex exec resume`, one process for each prompt. It confines commands by a sandbox of the
// operating system; a resumed thread forgets the sandbox and the model, so both are said every time.

import { isRecord } from "../../base/json.js";
import type { AgentEvent, SessionSpec } from "./agent.js";
import { joinId, type Reply, splitId, type TurnRequest } from "./conversation.js";
import { flagWith } from "./known.js";
import { NO_TOKENS, type Reading, type Tokens, tokensSince } from "./ledger.js";
import { SUBMIT_SERVER } from "./mcp.js";
import { type AgentLine, brief, endingOfExit, type Launch, numberIn, OneShotConversation, textIn } from "./one-shot.js";
import { DOOR_TOKEN } from "./submit.js";

const SANDBOX = { read: "read-only", write: "workspace-write" } as const;

/** In ours, the system does not let it make another one. Ours allows less than either. */
const sandboxMode = ({ access, confined = false }: SessionSpec): string =>
  confined ? "danger-full-access" : SANDBOX[access];

/** A machine may be busy. */
const CONNECT_S = 60;

const LOST = /no rollout found for thread/i;

export interface CodexCall {
  readonly spec: SessionSpec;
  readonly threadId?: string | undefined;
  readonly submitAt?: string | undefined;
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
    ...set("sandbox_mode", sandboxMode(spec)),
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

function tokensInNote(note: string): Tokens {
  const [input = 0, cached = 0, output = 0] = note.split(".").map((part) => Number(part) || 0);
  return { input, cached, output };
}

export class CodexConversation extends OneShotConversation {
  #threadId: string | undefined;
  #counted: Tokens = NO_TOKENS;

  constructor(launch: Launch, spec: SessionSpec) {
    super(launch, spec);
    if (spec.resume === undefined) return;
    const { agentsId, note } = splitId(spec.resume);
    this.#threadId = agentsId;
    this.#counted = tokensInNote(note);
  }

  get id(): string | null {
    return this.#threadId === undefined ? null : joinId(this.#threadId, noteOf(this.#counted));
  }

  async prompt(ask: TurnRequest): Promise<Reply> {
    let end: CodexReading["end"];
    let reading: Reading | undefined;
    const exit = await this.run(
      {
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
    if (end !== undefined && !exit.cancelled) return { ...end, reading };
    const lost = !exit.cancelled && this.#threadId !== undefined && LOST.test(exit.stderr);
    if (lost) [this.#threadId, this.#counted] = [undefined, NO_TOKENS];
    return { ...endingOfExit("Codex", exit), lost, reading };
  }

  #arguments({ door }: TurnRequest): string[] {
    const args = codexArguments({ spec: this.spec, threadId: this.#threadId, submitAt: door?.address });
    // The last argument stands for standard input and stays last.
    return [...args.slice(0, -1), ...this.launch.args, "-"];
  }

  #reading(total: Tokens): Reading {
    const tokens = tokensSince(this.#counted, total);
    this.#counted = total;
    return { tokens, model: this.spec.model };
  }
}

interface CodexReading {
  readonly events: readonly AgentEvent[];
  readonly threadId?: string;
  /** Counted from the beginning of the thread, not of the turn. */
  readonly totalTokens?: Tokens;
  readonly end?: Pick<Reply, "ending" | "message">;
}

const NEEDS_LOGIN = /\b401\b|\b403\b|unauthorized|log ?in|api key|authenticat/i;
const LIMIT = /usage limit|quota|insufficient_quota|context window|token limit/i;

function failure(message: string): Pick<Reply, "ending" | "message"> {
  const ending = NEEDS_LOGIN.test(message) ? "unavailable" : LIMIT.test(message) ? "over-budget" : "refused";
  return { ending, message: `Codex: ${brief(message)}` };
}

function toolOf(item: AgentLine): { readonly name: string; readonly detail: string } | undefined {
  switch (item["type"]) {
    case "command_execution":
      return { name: "shell", detail: brief(item["command"]) };
    case "file_change":
      return { name: "file_change", detail: brief(item["changes"]) };
    case "mcp_tool_call":
      return { name: `${textIn(item["server"])}.${textIn(item["tool"])}`, detail: brief(item["arguments"] ?? "") };
    case "web_search":
      return { name: "web_search", detail: brief(item["query"]) };
    default:
      return undefined;
  }
}

/** A tool of an MCP server that answers with an error has still been called without one. */
const answeredWithError = (item: AgentLine): boolean => isRecord(item["result"]) && item["result"]["isError"] === true;

function itemEvents(kind: string, item: AgentLine): readonly AgentEvent[] {
  const tool = toolOf(item);
  if (tool !== undefined) {
    if (kind === "item.started") return [{ type: "tool", state: "started", ...tool }];
    if (kind !== "item.completed") return [];
    const failed = item["status"] === "failed" || item["status"] === "declined" || answeredWithError(item);
    return [{ type: "tool", state: failed ? "failed" : "done", ...tool }];
  }
  if (kind !== "item.completed") return [];
  if (item["type"] === "agent_message") return [{ type: "text", text: textIn(item["text"]) }];
  if (item["type"] === "reasoning") return [{ type: "thought", text: textIn(item["text"]) }];
  return item["type"] === "error" ? [{ type: "notice", text: `Codex: ${brief(item["message"])}` }] : [];
}

function tokensOf(usage: unknown): Tokens | undefined {
  if (!isRecord(usage)) return undefined;
  const cached = numberIn(usage["cached_input_tokens"]);
  return { input: numberIn(usage["input_tokens"]), output: numberIn(usage["output_tokens"]), cached };
}

export function readCodex(line: AgentLine): CodexReading {
  const kind = textIn(line["type"]);
  switch (kind) {
    case "thread.started":
      return { events: [], threadId: textIn(line["thread_id"]) };
    case "item.started":
    case "item.updated":
    case "item.completed":
      return { events: isRecord(line["item"]) ? itemEvents(kind, line["item"]) : [] };
    case "turn.completed": {
      const totalTokens = tokensOf(line["usage"]);
      return { events: [], end: { ending: "ended" }, ...(totalTokens !== undefined && { totalTokens }) };
    }
    case "turn.failed": {
      const error = isRecord(line["error"]) ? textIn(line["error"]["message"]) : "";
      return { events: [], end: failure(error) };
    }
    case "error":
      // Also sent before a reconnection that may succeed, so it does not end the turn.
      return { events: [{ type: "notice", text: `Codex: ${brief(line["message"])}` }] };
    default:
      return { events: [] };
  }
}
