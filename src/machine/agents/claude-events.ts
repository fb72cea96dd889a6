// Reads what `claude -p --output-format stream-json --verbose --include-partial-messages` prints: pure.

import { isRecord } from "../../base/json.js";
import type { AgentEvent } from "./agent.js";
import type { Reply } from "./conversation.js";
import { NO_TOKENS, type Tokens } from "./ledger.js";

type Line = Readonly<Record<string, unknown>>;

export interface ClaudeEnd {
  readonly ending: Reply["ending"];
  readonly message?: string;
  readonly lost?: true;
  readonly tokens: Tokens;
  /** Of the whole conversation, also after it was resumed. */
  readonly totalCostUsd?: number;
}

export interface ClaudeReading {
  readonly events: readonly AgentEvent[];
  readonly sessionId?: string;
  readonly model?: string;
  readonly end?: ClaudeEnd;
}

const DETAIL = 300;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const list = (value: unknown): readonly Line[] => (Array.isArray(value) ? value.filter(isRecord) : []);

export const brief = (value: unknown): string => {
  const shown = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return shown.length > DETAIL ? `${shown.slice(0, DETAIL)}…` : shown;
};

function tokensOf(usage: unknown): Tokens {
  if (!isRecord(usage)) return NO_TOKENS;
  const cached = count(usage["cache_read_input_tokens"]);
  const input = count(usage["input_tokens"]) + count(usage["cache_creation_input_tokens"]) + cached;
  return { input, output: count(usage["output_tokens"]), cached };
}

const errorsOf = (line: Line): string => (Array.isArray(line["errors"]) ? line["errors"].map(String).join(" ") : "");

const LOST = /no conversation found/i;
const NEEDS_LOGIN = /log ?in|api key|authenticat|unauthorized|credit balance|oauth token/i;

/** `success` only says that the program ran to its end: an error of the model's host is a success with a flag. */
function endingOf(line: Line): Reply["ending"] {
  const subtype = text(line["subtype"]);
  if (LOST.test(errorsOf(line))) return "crashed";
  if (subtype === "error_max_budget_usd" || subtype === "error_max_turns") return "over-budget";
  if (subtype === "success" && line["is_error"] !== true) {
    return line["stop_reason"] === "refusal" ? "refused" : "ended";
  }
  const status = line["api_error_status"];
  if (status === 401 || status === 403 || NEEDS_LOGIN.test(text(line["result"]))) return "unavailable";
  return "refused";
}

function endOf(line: Line): ClaudeEnd {
  const ending = endingOf(line);
  const said = [text(line["result"]), errorsOf(line)].find((words) => words !== "") ?? text(line["subtype"]);
  const cost = line["total_cost_usd"];
  return {
    ending,
    tokens: tokensOf(line["usage"]),
    ...(LOST.test(errorsOf(line)) && { lost: true }),
    ...(ending !== "ended" && { message: `Claude Code: ${brief(said)}` }),
    ...(typeof cost === "number" && { totalCostUsd: cost }),
  };
}

/** Text is reported as it comes. The whole message that follows repeats it. */
function deltaOf(line: Line): readonly AgentEvent[] {
  const event = line["event"];
  if (!isRecord(event) || event["type"] !== "content_block_delta" || !isRecord(event["delta"])) return [];
  const { type, text: said, thinking } = event["delta"];
  if (type === "text_delta") return [{ type: "text", text: text(said) }];
  return type === "thinking_delta" ? [{ type: "thought", text: text(thinking) }] : [];
}

/** Names tools by the id of their call, since results carry only that. */
export class ClaudeReader {
  readonly #tools = new Map<string, string>();
  /** Of each answer of the model, which comes as one line for each of its parts. */
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

  read(line: Line): ClaudeReading {
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

  #system(line: Line): ClaudeReading {
    if (line["subtype"] === "init") {
      return { events: [], sessionId: text(line["session_id"]), model: text(line["model"]) };
    }
    if (line["subtype"] !== "api_retry") return { events: [] };
    return { events: [{ type: "notice", text: `Claude Code tries again: ${brief(line["error"])}` }] };
  }

  #content(line: Line): readonly Line[] {
    return isRecord(line["message"]) ? list(line["message"]["content"]) : [];
  }

  #calls(line: Line): readonly AgentEvent[] {
    return this.#content(line)
      .filter(({ type }) => type === "tool_use")
      .map(({ id, name, input }) => {
        this.#tools.set(text(id), text(name));
        return { type: "tool", name: text(name), state: "started", detail: brief(input) } as const;
      });
  }

  #count({ message }: Line): readonly AgentEvent[] {
    if (!isRecord(message)) return [];
    const before = this.spent;
    this.#answers.set(text(message["id"]), tokensOf(message["usage"]));
    const { input, output } = this.spent;
    return input + output === before.input + before.output ? [] : [{ type: "spent", tokens: input + output }];
  }

  #results(line: Line): readonly AgentEvent[] {
    return this.#content(line)
      .filter(({ type }) => type === "tool_result")
      .map(({ tool_use_id: id, content, is_error: failed }) => {
        const name = this.#tools.get(text(id)) ?? "tool";
        return { type: "tool", name, state: failed === true ? "failed" : "done", detail: brief(content) } as const;
      });
  }
}
