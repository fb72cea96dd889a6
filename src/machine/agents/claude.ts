// Claude Code: one process for each prompt, by its documented flags alone. The user's own settings, hooks and
// servers stay out of it; the folder and the access are ours to say.

import { randomUUID } from "node:crypto";
import { isRecord } from "../../base/json.js";
import type { AgentEvent, SessionSpec } from "./agent.js";
import { joinId, type Reply, splitId, type TurnRequest } from "./conversation.js";
import { flagWith } from "./known.js";
import { countedSince, NO_TOKENS, type Reading, type Tokens } from "./ledger.js";
import { SUBMIT_SERVER } from "./mcp.js";
import { type AgentLine, brief, endingOfExit, type Launch, numberIn, OneShotConversation, textIn } from "./one-shot.js";
import { DOOR_TOKEN, OUR_TOOLS } from "./submit.js";

const TOOLS = OUR_TOOLS.map((tool) => `mcp__${SUBMIT_SERVER}__${tool}`);

export interface ClaudeCall {
  readonly spec: SessionSpec;
  readonly sessionId: string;
  readonly resume: boolean;
  readonly submitAt?: string | undefined;
  readonly maxCostUsd?: number | undefined;
}

export function claudeArguments({ spec, sessionId, resume, submitAt, maxCostUsd }: ClaudeCall): string[] {
  const headers = { Authorization: `Bearer \${${DOOR_TOKEN}}` };
  const servers = submitAt === undefined ? {} : { [SUBMIT_SERVER]: { type: "http", url: submitAt, headers } };
  const access =
    spec.access === "read"
      ? ["--tools", "Read,Grep,Glob", "--permission-mode", "dontAsk", "--allowedTools", TOOLS.join(",")]
      : [
          "--tools",
          "Read,Grep,Glob,Edit,Write,Bash",
          "--permission-mode",
          "acceptEdits",
          "--allowedTools",
          ["Bash", ...TOOLS].join(","),
        ];
  return [
    "-p",
    ...flagWith("--output-format", "stream-json"),
    "--verbose",
    "--include-partial-messages",
    ...flagWith("--setting-sources", ""),
    "--strict-mcp-config",
    ...flagWith("--mcp-config", JSON.stringify({ mcpServers: servers })),
    ...access,
    ...flagWith("--model", spec.model),
    ...flagWith("--effort", spec.effort),
    ...flagWith("--max-budget-usd", maxCostUsd?.toString()),
    ...flagWith(resume ? "--resume" : "--session-id", sessionId),
  ];
}

export class ClaudeConversation extends OneShotConversation {
  #sessionId: string;
  /** Whether the agent has confirmed the session: only then can it be resumed, and only before can it be named. */
  #exists: boolean;
  #costSoFar: number;

  constructor(launch: Launch, spec: SessionSpec) {
    super(launch, spec);
    const { agentsId, note } = splitId(spec.resume ?? "");
    this.#exists = spec.resume !== undefined;
    this.#sessionId = this.#exists ? agentsId : randomUUID();
    this.#costSoFar = Number(note) || 0;
  }

  get id(): string | null {
    return this.#exists ? joinId(this.#sessionId, this.#costSoFar === 0 ? "" : String(this.#costSoFar)) : null;
  }

  async prompt(ask: TurnRequest): Promise<Reply> {
    if (!this.#exists) this.#sessionId = randomUUID();
    const reader = new ClaudeReader();
    let end: ClaudeEnd | undefined;
    let model = this.spec.model;
    const exit = await this.run(
      {
        title: "Claude Code",
        args: [...this.#arguments(ask), ...this.launch.args],
        // Otherwise the model has to search for our tool before it can see its schema.
        env: { ENABLE_TOOL_SEARCH: "false" },
        onLine: (line) => {
          const read = reader.read(line);
          if (read.sessionId === this.#sessionId) this.#exists = true;
          model = read.model ?? model;
          end = read.end ?? end;
          for (const event of read.events) ask.onEvent(event);
        },
      },
      ask,
    );
    const known = reader.spent.input > 0 ? { tokens: reader.spent, model } : undefined;
    const reading = end === undefined ? known : this.#reading(end, model);
    // The exit code says nothing: it is 0 after an interrupt. The result line does.
    if (end === undefined || exit.cancelled) return { ...endingOfExit("Claude Code", exit), reading };
    const { ending, message, lost } = end;
    if (lost) [this.#exists, this.#costSoFar] = [false, 0];
    return { ending, message, lost: lost === true, reading };
  }

  #arguments(ask: TurnRequest): string[] {
    return claudeArguments({
      spec: this.spec,
      sessionId: this.#sessionId,
      resume: this.#exists,
      submitAt: ask.door?.address,
      maxCostUsd: ask.maxCostUsd,
    });
  }

  #reading({ tokens, totalCostUsd }: ClaudeEnd, model: string | undefined): Reading {
    const costUsd = totalCostUsd === undefined ? undefined : countedSince(this.#costSoFar, totalCostUsd);
    this.#costSoFar = totalCostUsd ?? this.#costSoFar;
    return { tokens, model, costUsd };
  }
}

interface ClaudeEnd extends Pick<Reply, "ending" | "message"> {
  readonly lost?: boolean;
  readonly tokens: Tokens;
  /** What the whole conversation cost, also after it was resumed. */
  readonly totalCostUsd: number | undefined;
}

interface ClaudeReading {
  readonly events: readonly AgentEvent[];
  readonly sessionId?: string;
  readonly model?: string;
  readonly end?: ClaudeEnd;
}

const list = (value: unknown): readonly AgentLine[] => (Array.isArray(value) ? value.filter(isRecord) : []);

function tokensOf(usage: unknown): Tokens {
  if (!isRecord(usage)) return NO_TOKENS;
  const cached = numberIn(usage["cache_read_input_tokens"]);
  const input = numberIn(usage["input_tokens"]) + numberIn(usage["cache_creation_input_tokens"]) + cached;
  return { input, output: numberIn(usage["output_tokens"]), cached };
}

const errorsOf = (line: AgentLine): string =>
  Array.isArray(line["errors"]) ? line["errors"].map(String).join(" ") : "";

const LOST = /no conversation found/i;
const NEEDS_LOGIN = /log ?in|api key|authenticat|unauthorized|credit balance|oauth token/i;

/** `success` only says that the program ran to its end: an error of the model's host is a success with a flag. */
function endingOf(line: AgentLine): Reply["ending"] {
  const subtype = textIn(line["subtype"]);
  if (LOST.test(errorsOf(line))) return "crashed";
  if (subtype === "error_max_budget_usd" || subtype === "error_max_turns") return "over-budget";
  if (subtype === "success" && line["is_error"] !== true) {
    return line["stop_reason"] === "refusal" ? "refused" : "ended";
  }
  const status = line["api_error_status"];
  if (status === 401 || status === 403 || NEEDS_LOGIN.test(textIn(line["result"]))) return "unavailable";
  return "refused";
}

function endOf(line: AgentLine): ClaudeEnd {
  const ending = endingOf(line);
  const said = [textIn(line["result"]), errorsOf(line)].find((words) => words !== "") ?? textIn(line["subtype"]);
  const cost = line["total_cost_usd"];
  return {
    ending,
    tokens: tokensOf(line["usage"]),
    ...(LOST.test(errorsOf(line)) && { lost: true }),
    message: ending === "ended" ? undefined : `Claude Code: ${brief(said)}`,
    totalCostUsd: typeof cost === "number" ? cost : undefined,
  };
}

/** Text is reported as it comes. The whole message that follows repeats it. */
function deltaOf(line: AgentLine): readonly AgentEvent[] {
  const event = line["event"];
  if (!isRecord(event) || event["type"] !== "content_block_delta" || !isRecord(event["delta"])) return [];
  const { type, text: said, thinking } = event["delta"];
  if (type === "text_delta") return [{ type: "text", text: textIn(said) }];
  return type === "thinking_delta" ? [{ type: "thought", text: textIn(thinking) }] : [];
}

/** Names tools by the id of their call, since results carry only that. */
export class ClaudeReader {
  readonly #tools = new Map<string, string>();
  /** The tokens of each answer of the model, which comes as one line for each of its parts. */
  readonly #answers = new Map<string, Tokens>();

  /** By the answers so far: what is known of a prompt that did not come to its end. */
  get spent(): Tokens {
    const add = (a: Tokens, b: Tokens): Tokens => ({
      input: a.input + b.input,
      output: a.output + b.output,
      cached: a.cached + b.cached,
    });
    return [...this.#answers.values()].reduce(add, NO_TOKENS);
  }

  read(line: AgentLine): ClaudeReading {
    const nested = line["parent_tool_use_id"] !== null && line["parent_tool_use_id"] !== undefined;
    switch (line["type"]) {
      case "system":
        return this.#system(line);
      case "stream_event":
        return { events: nested ? [] : deltaOf(line) };
      case "assistant":
        return { events: [...this.#calls(line), ...this.#count(line)] };
      case "user":
        return { events: this.#results(line) };
      case "result":
        return { events: [], end: endOf(line) };
      default:
        return { events: [] };
    }
  }

  #system(line: AgentLine): ClaudeReading {
    if (line["subtype"] === "init") {
      return { events: [], sessionId: textIn(line["session_id"]), model: textIn(line["model"]) };
    }
    if (line["subtype"] !== "api_retry") return { events: [] };
    return { events: [{ type: "notice", text: `Claude Code tries again: ${brief(line["error"])}` }] };
  }

  #content(line: AgentLine): readonly AgentLine[] {
    return isRecord(line["message"]) ? list(line["message"]["content"]) : [];
  }

  #calls(line: AgentLine): readonly AgentEvent[] {
    return this.#content(line)
      .filter(({ type }) => type === "tool_use")
      .map(({ id, name, input }) => {
        this.#tools.set(textIn(id), textIn(name));
        return { type: "tool", name: textIn(name), state: "started", detail: brief(input) } as const;
      });
  }

  #count({ message }: AgentLine): readonly AgentEvent[] {
    if (!isRecord(message)) return [];
    const before = this.spent;
    this.#answers.set(textIn(message["id"]), tokensOf(message["usage"]));
    const { input, output } = this.spent;
    return input + output === before.input + before.output ? [] : [{ type: "spent", tokens: input + output }];
  }

  #results(line: AgentLine): readonly AgentEvent[] {
    return this.#content(line)
      .filter(({ type }) => type === "tool_result")
      .map(({ tool_use_id: id, content, is_error: failed }) => {
        const name = this.#tools.get(textIn(id)) ?? "tool";
        return { type: "tool", name, state: failed === true ? "failed" : "done", detail: brief(content) } as const;
      });
  }
}
