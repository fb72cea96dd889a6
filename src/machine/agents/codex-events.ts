// Reads what `codex exec --json` prints: pure.

import { isRecord } from "../../base/json.js";
import type { AgentEvent } from "./agent.js";
import { brief } from "./claude-events.js";
import type { Reply } from "./conversation.js";
import type { Tokens } from "./ledger.js";

type Line = Readonly<Record<string, unknown>>;

export interface CodexReading {
  readonly events: readonly AgentEvent[];
  readonly threadId?: string;
  /** Counted from the beginning of the thread, not of the turn. */
  readonly totalTokens?: Tokens;
  readonly end?: { readonly ending: Reply["ending"]; readonly message?: string };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

const NEEDS_LOGIN = /\b401\b|\b403\b|unauthorized|log ?in|api key|authenticat/i;
const LIMIT = /usage limit|quota|insufficient_quota|context window|token limit/i;

function failure(message: string): CodexReading["end"] {
  const ending = NEEDS_LOGIN.test(message) ? "unavailable" : LIMIT.test(message) ? "over-budget" : "refused";
  return { ending, message: `Codex: ${brief(message)}` };
}

/** How each kind of item names itself. */
function toolOf(item: Line): { readonly name: string; readonly detail: string } | undefined {
  switch (item["type"]) {
    case "command_execution":
      return { name: "shell", detail: brief(item["command"]) };
    case "file_change":
      return { name: "file_change", detail: brief(item["changes"]) };
    case "mcp_tool_call":
      return { name: `${text(item["server"])}.${text(item["tool"])}`, detail: brief(item["arguments"] ?? "") };
    case "web_search":
      return { name: "web_search", detail: brief(item["query"]) };
    default:
      return undefined;
  }
}

/** A tool of an MCP server that answers with an error has still been called without one. */
const answeredWithError = (item: Line): boolean => isRecord(item["result"]) && item["result"]["isError"] === true;

function itemEvents(kind: string, item: Line): readonly AgentEvent[] {
  const tool = toolOf(item);
  if (tool !== undefined) {
    if (kind === "item.started") return [{ type: "tool", state: "started", ...tool }];
    if (kind !== "item.completed") return [];
    const failed = item["status"] === "failed" || item["status"] === "declined" || answeredWithError(item);
    return [{ type: "tool", state: failed ? "failed" : "done", ...tool }];
  }
  if (kind !== "item.completed") return [];
  if (item["type"] === "agent_message") return [{ type: "text", text: text(item["text"]) }];
  if (item["type"] === "reasoning") return [{ type: "thought", text: text(item["text"]) }];
  return item["type"] === "error" ? [{ type: "notice", text: `Codex: ${brief(item["message"])}` }] : [];
}

function tokensOf(usage: unknown): Tokens | undefined {
  if (!isRecord(usage)) return undefined;
  const cached = count(usage["cached_input_tokens"]);
  return { input: count(usage["input_tokens"]), output: count(usage["output_tokens"]), cached };
}

export function readCodex(line: Line): CodexReading {
  const kind = text(line["type"]);
  switch (kind) {
    case "thread.started":
      return { events: [], threadId: text(line["thread_id"]) };
    case "item.started":
    case "item.updated":
    case "item.completed":
      return { events: isRecord(line["item"]) ? itemEvents(kind, line["item"]) : [] };
    case "turn.completed": {
      const totalTokens = tokensOf(line["usage"]);
      return { events: [], end: { ending: "ended" }, ...(totalTokens !== undefined && { totalTokens }) };
    }
    case "turn.failed": {
      const error = isRecord(line["error"]) ? text(line["error"]["message"]) : "";
      const end = failure(error);
      return { events: [], ...(end !== undefined && { end }) };
    }
    case "error":
      // Also sent before a reconnection that may succeed, so it does not end the turn.
      return { events: [{ type: "notice", text: `Codex: ${brief(line["message"])}` }] };
    default:
      return { events: [] };
  }
}
