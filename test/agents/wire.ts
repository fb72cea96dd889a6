// Four ways to speak with a model, each read into one form and written from one: Anthropic Messages, OpenAI Responses,
// OpenAI Chat Completions and Gemini. Enough of each for the real agents to take a turn with a scripted model.

import type { ServerResponse } from "node:http";

export type Api = "anthropic" | "responses" | "chat" | "gemini";

export interface ToolCall {
  readonly name: string;
  /** Codex groups the tools of a server. */
  readonly namespace?: string;
  /** A text for tools that take free text. */
  readonly input: unknown;
}

/** What the model says next. */
export interface Step {
  readonly text?: string;
  readonly tools?: readonly ToolCall[];
  readonly usage?: { readonly input?: number; readonly output?: number; readonly cached?: number };
  /** Never answers. */
  readonly hang?: boolean;
  /** Answers with an error of this HTTP status. */
  readonly status?: number;
}

export interface ModelTurn {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly results: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const items = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
const shown = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** Content is a text, or parts of which some have a text. */
const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : items(content)
        .flatMap((part) => ("text" in part ? [shown(part["text"])] : []))
        .join("\n");

/** Results of one round of tools are one turn. */
function gather(turns: ModelTurn[], turn: ModelTurn): ModelTurn[] {
  const last = turns.at(-1);
  if (last === undefined || last.results.length === 0 || turn.results.length === 0) return [...turns, turn];
  return [...turns.slice(0, -1), { ...last, results: [...last.results, ...turn.results] }];
}

const readers: Readonly<Record<Api, (body: Json) => ModelTurn[]>> = {
  anthropic: (body) =>
    items(body["messages"]).map(({ role, content }) => ({
      role: role === "assistant" ? "assistant" : "user",
      text: typeof content === "string" ? content : textOf(items(content).filter(({ type }) => type === "text")),
      results: items(content)
        .filter(({ type }) => type === "tool_result")
        .map((part) => textOf(part["content"])),
    })),
  responses: (body) =>
    items(body["input"])
      .flatMap(({ type, role, content, output }): ModelTurn[] => {
        if (String(type).endsWith("_output")) return [{ role: "user", text: "", results: [shown(output)] }];
        // Calls stand between the results of one round and the next.
        if (role === undefined) return [{ role: "assistant", text: "", results: [] }];
        return [{ role: role === "assistant" ? "assistant" : "user", text: textOf(content), results: [] }];
      })
      .reduce(gather, []),
  chat: (body) =>
    items(body["messages"])
      .filter(({ role }) => role !== "system" && role !== "developer")
      .map(({ role, content }): ModelTurn => {
        const text = textOf(content);
        if (role === "tool") return { role: "user", text: "", results: [text] };
        return { role: role === "assistant" ? "assistant" : "user", text, results: [] };
      })
      .reduce(gather, []),
  gemini: (body) =>
    items(body["contents"]).map(({ role, parts }) => ({
      role: role === "model" ? "assistant" : "user",
      text: textOf(parts),
      results: items(parts).flatMap((part) =>
        isJson(part["functionResponse"]) ? [shown(part["functionResponse"]["response"])] : [],
      ),
    })),
};

export const readTurns = (api: Api, body: Json): ModelTurn[] => readers[api](body);

/** The names of the tools that the model was offered. */
export function offeredTools(body: Json): string[] {
  return items(body["tools"]).flatMap((tool) => {
    const declared = [...items(tool["functionDeclarations"]), ...items(tool["tools"])].map(({ name }) => shown(name));
    const { function: inner, name, type } = tool;
    return declared.length > 0 ? declared : [shown(isJson(inner) ? inner["name"] : (name ?? type))];
  });
}

export function apiOf(path: string): Api | undefined {
  if (path.endsWith("/messages")) return "anthropic";
  if (path.endsWith("/responses")) return "responses";
  if (path.endsWith("/chat/completions")) return "chat";
  return /:(stream)?generateContent$/i.test(path) ? "gemini" : undefined;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

let made = 0;
const newId = (kind: string): string => `${kind}_${++made}`;

const PIECE = 4096;
const pieces = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) => text.slice(at * PIECE, (at + 1) * PIECE));

interface Sending {
  readonly response: ServerResponse;
  readonly step: Step;
  readonly model: string;
  readonly stream: boolean;
}

const counts = ({ usage }: Step) => ({ input: 100, output: 10, cached: 0, ...usage });

function events(response: ServerResponse): (type: string, data: Json) => void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  return (type, data) => void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}

function dataLines(response: ServerResponse): (data: Json) => void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  return (data) => void response.write(`data: ${JSON.stringify(data)}\n\n`);
}

function sendAnthropic({ response, step, model, stream }: Sending): void {
  const { input, output, cached } = counts(step);
  const usage = {
    input_tokens: input - cached,
    output_tokens: output,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
  };
  const content: Json[] = [
    ...(step.text === undefined ? [] : [{ type: "text", text: step.text }]),
    ...(step.tools ?? []).map((tool) => ({ type: "tool_use", id: newId("toolu"), name: tool.name, input: tool.input })),
  ];
  const stop = { stop_reason: step.tools === undefined ? "end_turn" : "tool_use", stop_sequence: null };
  const message = { id: newId("msg"), type: "message", role: "assistant", model, usage };
  if (!stream) return sendJson(response, 200, { ...message, content, ...stop });
  const send = events(response);
  send("message_start", { message: { ...message, content: [], stop_reason: null, stop_sequence: null } });
  for (const [index, block] of content.entries()) {
    const isText = block["type"] === "text";
    send("content_block_start", {
      index,
      content_block: isText ? { type: "text", text: "" } : { ...block, input: {} },
    });
    for (const piece of pieces(isText ? String(block["text"]) : JSON.stringify(block["input"]))) {
      const delta = isText ? { type: "text_delta", text: piece } : { type: "input_json_delta", partial_json: piece };
      send("content_block_delta", { index, delta });
    }
    send("content_block_stop", { index });
  }
  send("message_delta", { delta: stop, usage });
  send("message_stop", {});
  response.end();
}

function responseItem(tool: ToolCall): Json {
  const common = { call_id: newId("call"), name: tool.name, status: "completed" };
  if (typeof tool.input === "string")
    return { type: "custom_tool_call", id: newId("ctc"), ...common, input: tool.input };
  const namespace = tool.namespace === undefined ? {} : { namespace: tool.namespace };
  return { type: "function_call", id: newId("fc"), ...common, ...namespace, arguments: JSON.stringify(tool.input) };
}

function sendResponses({ response, step, model, stream }: Sending): void {
  const { input, output: out, cached } = counts(step);
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: out,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + out,
  };
  const said = { type: "message", id: newId("msg"), role: "assistant", status: "completed" };
  const output: Json[] = [
    ...(step.text === undefined
      ? []
      : [{ ...said, content: [{ type: "output_text", text: step.text, annotations: [] }] }]),
    ...(step.tools ?? []).map(responseItem),
  ];
  const whole = { id: newId("resp"), object: "response", model };
  const done = { ...whole, status: "completed", output, usage };
  if (!stream) return sendJson(response, 200, done);
  const send = events(response);
  send("response.created", { response: { ...whole, status: "in_progress", output: [] } });
  for (const [output_index, item] of output.entries()) {
    const isText = item["type"] === "message";
    send("response.output_item.added", {
      output_index,
      item: isText ? { ...item, content: [], status: "in_progress" } : item,
    });
    if (isText) {
      for (const delta of pieces(step.text ?? "")) {
        send("response.output_text.delta", { item_id: item["id"], output_index, content_index: 0, delta });
      }
    }
    send("response.output_item.done", { output_index, item });
  }
  send("response.completed", { response: done });
  response.end();
}

function sendChat({ response, step, model, stream }: Sending): void {
  const { input, output, cached } = counts(step);
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
  const calls = (step.tools ?? []).map((tool, index) => ({
    index,
    id: newId("call"),
    type: "function",
    function: { name: tool.name, arguments: JSON.stringify(tool.input) },
  }));
  const tools = calls.length === 0 ? {} : { tool_calls: calls };
  const finish_reason = calls.length === 0 ? "stop" : "tool_calls";
  const base = { id: newId("chat"), created: 1, model };
  if (!stream) {
    const message = { role: "assistant", content: step.text ?? null, ...tools };
    return sendJson(response, 200, {
      ...base,
      object: "chat.completion",
      choices: [{ index: 0, finish_reason, message }],
      usage,
    });
  }
  const send = dataLines(response);
  const chunk = (rest: Json): void => send({ ...base, object: "chat.completion.chunk", ...rest });
  const delta = (change: Json, reason: string | null = null): void =>
    chunk({ choices: [{ index: 0, delta: change, finish_reason: reason }] });
  delta({ role: "assistant", content: "" });
  for (const content of pieces(step.text ?? "")) delta({ content });
  if (calls.length > 0) delta(tools);
  delta({}, finish_reason);
  chunk({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}

function sendGemini({ response, step, model, stream }: Sending): void {
  const { input, output, cached } = counts(step);
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
    cachedContentTokenCount: cached,
  };
  const calls = (step.tools ?? []).map((tool) => ({ functionCall: { name: tool.name, args: tool.input } }));
  const frame = (parts: readonly Json[], last: boolean): Json => ({
    candidates: [{ index: 0, content: { role: "model", parts }, ...(last && { finishReason: "STOP" }) }],
    ...(last && { usageMetadata }),
    modelVersion: model,
    responseId: newId("gemini"),
  });
  const said = step.text === undefined ? [] : [{ text: step.text }];
  if (!stream) return sendJson(response, 200, frame([...said, ...calls], true));
  const send = dataLines(response);
  for (const text of pieces(step.text ?? "")) send(frame([{ text }], false));
  send(frame(calls.length > 0 ? calls : [{ text: "" }], true));
  response.end();
}

export const senders: Readonly<Record<Api, (sending: Sending) => void>> = {
  anthropic: sendAnthropic,
  responses: sendResponses,
  chat: sendChat,
  gemini: sendGemini,
};
