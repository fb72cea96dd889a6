// Reads updates of the Agent Client Protocol. Pure.

import type { ContentBlock, PromptResponse, SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { isRecord } from "../../base/json.js";
import type { AgentEvent } from "./agent.js";
import { brief } from "./claude-events.js";
import type { Tokens } from "./ledger.js";

const textOf = (content: ContentBlock): string => (content.type === "text" ? content.text : "");

const STATES = { completed: "done", failed: "failed", pending: "started", in_progress: "started" } as const;

function detailOf({ rawInput, rawOutput, content }: ToolCallUpdate): string {
  const said = content?.flatMap((part) => (part.type === "content" ? [textOf(part.content)] : [])).join(" ");
  return brief(said || rawOutput || rawInput || "");
}

/** Names tool calls by their id, and reports each state once. */
export class AcpReader {
  readonly #calls = new Map<string, { name: string; state: string }>();

  /** Kinds of updates are added to the protocol over time; what is not known here is not needed. */
  read(update: SessionUpdate): readonly AgentEvent[] {
    const kind = update.sessionUpdate;
    if (kind === "agent_message_chunk") return [{ type: "text", text: textOf(update.content) }];
    if (kind === "agent_thought_chunk") return [{ type: "thought", text: textOf(update.content) }];
    if (kind === "tool_call" || kind === "tool_call_update") return this.#tool(update);
    if (kind !== "notice") return [];
    return [{ type: "notice", text: [update.title, update.description ?? ""].join(" ").trim() }];
  }

  #tool(update: ToolCallUpdate): readonly AgentEvent[] {
    const before = this.#calls.get(update.toolCallId);
    const name = update.title || before?.name || "tool";
    const state = update.status ? STATES[update.status] : (before?.state ?? "started");
    this.#calls.set(update.toolCallId, { name, state });
    if (state === before?.state) return [];
    const event = { type: "tool", name, detail: detailOf(update) } as const;
    // A call that needed permission may be reported only when it is over.
    const unheard: AgentEvent[] = before === undefined && state !== "started" ? [{ ...event, state: "started" }] : [];
    return [...unheard, { ...event, state: state as "started" | "done" | "failed" }];
  }
}

const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

/** Where and from when an agent counts its tokens. */
export type Counting = "since the session began" | "since the process began" | "this turn" | "not at all";

/** The tokens of an answer, in either of the two places where agents put them. */
export function tokensOf(response: PromptResponse): Tokens | undefined {
  const { usage, _meta: extras } = response as PromptResponse & { usage?: unknown };
  if (isRecord(usage)) {
    const cached = count(usage["cachedReadTokens"]);
    return { input: count(usage["inputTokens"]), output: count(usage["outputTokens"]), cached };
  }
  const quota = extras?.["quota"];
  const counted = isRecord(quota) ? quota["token_count"] : undefined;
  if (!isRecord(counted)) return undefined;
  return { input: count(counted["input_tokens"]), output: count(counted["output_tokens"]), cached: 0 };
}
