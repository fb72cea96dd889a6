// A model on the loopback interface that says what a test wrote, so that real agents can be tested without a network.
// The script stands in the prompt itself, between two marks; its steps are taken one for each round of tool results.
// So the extra requests that agents make on their own (titles, summaries) disturb nothing.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Api, apiOf, type ModelTurn, offeredTools, readTurns, type Step, senders, sendJson } from "./wire.js";

export interface ModelRequest {
  readonly api: Api;
  readonly model: string;
  readonly turns: readonly ModelTurn[];
  readonly tools: readonly string[];
  /** What the newest scripted prompt says, and how far into it this is. */
  readonly prompt: string;
  readonly round: number;
  readonly step: Step;
}

export interface ScriptedModel {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Everything that was asked and is no model call. */
  readonly others: readonly string[];
  /** The next request that fits, or one that came already. */
  requested(fits: (request: ModelRequest) => boolean): Promise<ModelRequest>;
  close(): Promise<void>;
}

export interface ModelOptions {
  /** Decides before the script in the prompt does. */
  script?(request: Omit<ModelRequest, "step">): Step | undefined;
  /** The last word on what is said. */
  change?(step: Step, request: Omit<ModelRequest, "step">): Step;
}

const MAX_REQUESTS = 300;
const OPEN = "<script>";
const CLOSE = "</script>";

interface Script {
  readonly steps: readonly Step[];
  /** What it does when it is reminded to hand in a result. */
  readonly reminded: readonly Step[];
}

export const scripted = (steps: readonly Step[], reminded: readonly Step[] = [{ text: "Nothing more." }]): string =>
  `${OPEN}${JSON.stringify({ steps, reminded })}${CLOSE}`;

function scriptIn(text: string): Script | undefined {
  const start = text.lastIndexOf(OPEN);
  const end = text.indexOf(CLOSE, start);
  return start < 0 || end < 0 ? undefined : (JSON.parse(text.slice(start + OPEN.length, end)) as Script);
}

const REMINDER = "without handing in a result";

function decide(turns: readonly ModelTurn[]): { prompt: string; round: number; step: Step } {
  const at = turns.findLastIndex(({ role, text }) => role === "user" && scriptIn(text) !== undefined);
  const later = turns.findLastIndex(({ role, text }) => role === "user" && text.includes(REMINDER));
  const script = scriptIn(turns[at]?.text ?? "") ?? { steps: [{ text: "No script." }], reminded: [] };
  const steps = later > at ? script.reminded : script.steps;
  const round = turns.slice(Math.max(at, later) + 1).filter(({ results }) => results.length > 0).length;
  const prompt = turns[Math.max(at, later)]?.text ?? "";
  return { prompt, round, step: steps[Math.min(round, steps.length - 1)] ?? { text: "" } };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** What agents ask beside model calls. */
function answerOther(path: string, response: ServerResponse): void {
  if (path.endsWith("/count_tokens")) return sendJson(response, 200, { input_tokens: 100 });
  if (path.endsWith(":countTokens")) return sendJson(response, 200, { totalTokens: 100 });
  if (path.endsWith("/models")) return sendJson(response, 200, { object: "list", data: [], models: [] });
  return sendJson(response, path === "/" ? 200 : 404, {});
}

export async function startScriptedModel(options: ModelOptions = {}): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const others: string[] = [];
  const waiting = new Set<(request: ModelRequest) => void>();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const text = await bodyOf(request);
    const api = request.method === "POST" ? apiOf(pathname) : undefined;
    if (api === undefined) {
      others.push(`${request.method} ${pathname}`);
      return answerOther(pathname, response);
    }
    const body = JSON.parse(text) as Record<string, unknown>;
    const turns = readTurns(api, body);
    const named = body["model"] ?? /models\/([^:/]+):/.exec(pathname)?.[1];
    const model = typeof named === "string" ? named : "";
    const { step, ...rest } = decide(turns);
    const asked = { api, model, turns, tools: offeredTools(body), ...rest };
    const chosen = options.script?.(asked) ?? step;
    const made = { ...asked, step: options.change?.(chosen, asked) ?? chosen };
    requests.push(made);
    for (const hear of waiting) hear(made);
    // An agent that goes round in circles is a mistake in a test, which should end soon.
    if (requests.length > MAX_REQUESTS) return sendJson(response, 400, { error: { message: "too many requests" } });
    if (made.step.hang === true) return;
    if (made.step.status !== undefined) {
      const error = { type: "api_error", message: "scripted error", code: made.step.status };
      return sendJson(response, made.step.status, { type: "error", error });
    }
    senders[api]({ response, step: made.step, model, stream: body["stream"] === true || pathname.includes(":stream") });
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => sendJson(response, 500, { error: { message: String(error) } }));
  });
  // An agent that was busy for a while would meet a connection that is just being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    others,
    requested: (fits) =>
      new Promise((done) => {
        const hear = (request: ModelRequest): void => {
          if (!fits(request)) return;
          waiting.delete(hear);
          done(request);
        };
        waiting.add(hear);
        for (const request of requests) hear(request);
      }),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
