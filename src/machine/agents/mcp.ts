// What agents say to a server of tools in the Model Context Protocol: a greeting, what there is, and a call. These few messages are
// answered here, since the SDK takes longer to load than a run has work of its own; whatever else there is, the SDK answers (`mcp-sdk.ts`).

import type { IncomingHttpHeaders } from "node:http";
import { messageOf } from "../../base/errors.js";
import { isRecord } from "../../base/json.js";
import type { JsonSchema } from "./agent.js";

export interface ToolResult {
  readonly [field: string]: unknown;
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly isError: boolean;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly call: (input: unknown) => Promise<ToolResult>;
}

export const say = (text: string, isError = false): ToolResult => ({ content: [{ type: "text", text }], isError });

/** The name under which agents know the server. */
export const SUBMIT_SERVER = "planwright";

export const SERVER_INFO = { name: SUBMIT_SERVER, version: "1" };

/** What every tool says beside what is its own. */
export const EVERY_TOOL = {
  /** The tools only read, as far as the agent's policy is concerned: nothing in its folder changes. */
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  /** Claude Code hides tools behind a search unless they ask to be shown at once. */
  _meta: { "anthropic/alwaysLoad": true },
};

/** The newest first. Later ones have other messages. */
const VERSIONS: readonly unknown[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

export interface Message {
  /** Without one, no answer is waited for. */
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Later versions say in each message which one it is. */
const isLater = ({ _meta: meta }: Message["params"]): boolean =>
  isRecord(meta) && Object.keys(meta).some((name) => name.startsWith("io.modelcontextprotocol/"));

const isPlainRequest = (headers: IncomingHttpHeaders): boolean =>
  /^application\/json\b/i.test(headers["content-type"] ?? "") &&
  (headers.accept ?? "").includes("application/json") &&
  (headers.accept ?? "").includes("text/event-stream") &&
  [undefined, ...VERSIONS].includes(headers["mcp-protocol-version"]);

/** The message in a request, if it is one of those that are answered here. */
export function readMessage(headers: IncomingHttpHeaders, body: string): Message | undefined {
  if (!isPlainRequest(headers)) return undefined;
  let said: unknown;
  try {
    said = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isRecord(said) || said["jsonrpc"] !== "2.0") return undefined;
  const { id, method, params = {} } = said;
  if (typeof method !== "string" || !isRecord(params) || isLater(params)) return undefined;
  return id === undefined || typeof id === "string" || typeof id === "number" ? { id, method, params } : undefined;
}

const INVALID_PARAMS = -32_602;
const METHOD_NOT_FOUND = -32_601;

type Outcome = { readonly result: object } | { readonly error: { readonly code: number; readonly message: string } };

const failure = (code: number, message: string): Outcome => ({ error: { code, message } });

async function callTool(tools: readonly Tool[], { name, arguments: input = {} }: Message["params"]): Promise<Outcome> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return failure(INVALID_PARAMS, `Tool ${String(name)} not found`);
  try {
    return { result: await tool.call(input) };
  } catch (error) {
    // An agent can act on a sentence; a connection that ends it takes for a server that is gone.
    return { result: say(messageOf(error), true) };
  }
}

const shownTool = ({ name, description, inputSchema }: Tool): object => ({
  name,
  description,
  inputSchema,
  ...EVERY_TOOL,
});

async function outcomeOf({ method, params }: Message, tools: readonly Tool[]): Promise<Outcome> {
  switch (method) {
    case "initialize": {
      const { protocolVersion: wanted } = params;
      const protocolVersion = VERSIONS.includes(wanted) ? wanted : VERSIONS[0];
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: SERVER_INFO } };
    }
    case "ping":
      return { result: {} };
    case "tools/list":
      return { result: { tools: tools.map(shownTool) } };
    case "tools/call":
      return callTool(tools, params);
    default:
      return failure(METHOD_NOT_FOUND, "Method not found");
  }
}

/** The answer as text; undefined for a notification. */
export async function answerMessage(message: Message, tools: readonly Tool[]): Promise<string | undefined> {
  if (message.id === undefined) return undefined;
  return JSON.stringify({ jsonrpc: "2.0", id: message.id, ...(await outcomeOf(message, tools)) });
}
