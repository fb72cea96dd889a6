// How an agent hands in structured output: a tool named `submit`, on a server of ours on the loopback interface,
// whose input schema is the shape that is asked for. A call that does not fit comes back as an error with the
// paths that are wrong, so that the model repairs it within its turn. Any agent that speaks MCP can do this.

import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonSchema, LookUp } from "./agent.js";
import { answerMessage, readMessage, say, type Tool, type ToolResult } from "./mcp.js";
import type { SchemaJudge, SdkHandler } from "./mcp-sdk.js";

export type Expectation = ReturnType<typeof expectation>;

/** What is wrong with a value; nothing if it fits. */
export type SubmissionCheck = (value: unknown) => readonly string[];

/** Where one agent may hand in. Only this agent knows its token. */
export interface SubmitDoor {
  /** With the token in it, for files that only the agent can read. */
  readonly url: string;
  /** Without it, for command lines, which everybody on the machine can read; the token goes into the header `Authorization`. */
  readonly address: string;
  readonly token: string;
  /** The shape that the tool `submit` shows; without one only `submit_json` is offered. */
  readonly schema: JsonSchema | undefined;
  /** Settles when the agent has asked which tools there are. */
  readonly seen: Promise<void>;
  /** Without a judge, the schema judges. */
  expect(schema: JsonSchema, judge?: SubmissionCheck): Expectation;
  close(): void;
}

interface Door {
  readonly schema: JsonSchema | undefined;
  take: ((value: unknown) => Promise<ToolResult>) | undefined;
  saw(): void;
}

/** A reply of ten megabytes gets through; a flood does not. */
const MAX_BODY = 32 * 1024 * 1024;

const JSON_TEXT = {
  type: "object",
  properties: { json: { type: "string", description: "The result as JSON text, of the shape that the prompt gives." } },
  required: ["json"],
};

const handIn = async (door: Door, value: unknown): Promise<ToolResult> =>
  (await door.take?.(value)) ?? say("Nothing is asked for now.", true);

async function handInText(door: Door, text: unknown): Promise<ToolResult> {
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch (error) {
    return say(`This is not JSON: ${String(error)}`, true);
  }
  return handIn(door, value);
}

function toolsOf(door: Door, lookUp: LookUp | undefined): readonly Tool[] {
  const submit = (inputSchema: JsonSchema): Tool => ({
    name: "submit",
    description: "Hand in your final result. The arguments are the result.",
    inputSchema,
    call: (value) => handIn(door, value),
  });
  const submitText: Tool = {
    name: "submit_json",
    description: "Hand in your final result as JSON text. Only for when the prompt names this tool.",
    inputSchema: JSON_TEXT,
    call: (value) => handInText(door, (value as { readonly json?: unknown } | null)?.json),
  };
  return [
    ...(door.schema === undefined ? [] : [submit(door.schema)]),
    submitText,
    ...(lookUp === undefined ? [] : [{ ...LOOK_UP, call: async (value: unknown) => answerLookUp(lookUp, value) }]),
  ];
}

function expectation(door: Door, schema: JsonSchema, judge: SubmissionCheck | undefined) {
  const check = judge === undefined ? validatorOf(schema) : async (value: unknown) => judge(value);
  let accepted: { readonly value: unknown } | undefined;
  const take = async (value: unknown): Promise<ToolResult> => {
    const problems = await check(value);
    if (problems.length === 0) {
      accepted = { value };
      return say("Accepted. You are done.");
    }
    const list = problems.map((problem) => `- ${problem}`).join("\n");
    return say(`This does not fit. Correct it and call the tool again.\n${list}`, true);
  };
  door.take = take;
  return {
    /** What was handed in and fits, if anything was. The last one counts. */
    get accepted() {
      return accepted;
    },
    /** From now on nothing is accepted. */
    end: (): void => {
      if (door.take === take) door.take = undefined;
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const asksForTools = (body: Buffer): boolean => body.length < 10_000 && body.includes('"tools/list"');

async function answer(response: ServerResponse, made: Response): Promise<void> {
  response.writeHead(made.status, Object.fromEntries(made.headers));
  if (made.body !== null) for await (const chunk of made.body) response.write(chunk);
  response.end();
}

/** Answers in the form that all agents take, the SDK's own. */
function respond(response: ServerResponse, said: string | undefined): void {
  if (said === undefined) return void response.writeHead(202).end();
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" });
  response.end(`event: message\ndata: ${said}\n\n`);
}

function webRequest({ method = "GET", headers }: IncomingMessage, url: URL, body: Buffer): Request {
  const told = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return new Request(url, { method, headers: told, ...(body.length > 0 && { body: new Uint8Array(body) }) });
}

export class SubmitServer {
  readonly #doors = new Map<string, Door>();
  readonly #http: Server;
  readonly #lookUp: LookUp | undefined;
  #sdk: Promise<SdkHandler> | undefined;

  constructor(lookUp: LookUp | undefined) {
    this.#lookUp = lookUp;
    this.#http = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  listen(): Promise<this> {
    return new Promise((done, failed) => {
      this.#http.once("error", failed);
      // It must not keep a program alive that has nothing else to do.
      this.#http.listen(0, "127.0.0.1", () => done(this)).unref();
    });
  }

  open(schema?: JsonSchema): SubmitDoor {
    const token = randomBytes(24).toString("base64url");
    let saw = (): void => {};
    const seen = new Promise<void>((done) => {
      saw = done;
    });
    const door: Door = { schema, take: undefined, saw };
    this.#doors.set(token, door);
    const origin = `http://127.0.0.1:${this.#port}`;
    return {
      url: `${origin}/${token}/mcp`,
      address: `${origin}/mcp`,
      token,
      schema,
      seen,
      expect: (wanted, judge) => expectation(door, wanted, judge),
      close: () => this.#doors.delete(token),
    };
  }

  async close(): Promise<void> {
    this.#doors.clear();
    const closed = new Promise((done) => {
      this.#http.close(done);
    });
    this.#http.closeAllConnections();
    await (await this.#sdk)?.close();
    await closed;
  }

  get #port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  #doorFor(url: string, authorization: string | null | undefined): Door | undefined {
    const { pathname } = new URL(url);
    const told = pathname === "/mcp" ? /^Bearer (\S+)$/.exec(authorization ?? "") : /^\/([^/]+)\/mcp$/.exec(pathname);
    return this.#doors.get(told?.[1] ?? "");
  }

  /** A page in a browser can reach the loopback interface, under another name or from another origin. */
  #isOurs({ headers }: IncomingMessage): boolean {
    return headers.host === `127.0.0.1:${this.#port}` && headers.origin === undefined;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", `http://127.0.0.1:${this.#port}`);
    const door = this.#isOurs(request) ? this.#doorFor(url.href, request.headers.authorization) : undefined;
    if (door === undefined) return void response.writeHead(404).end();
    // Such as to listen for news, of which there is none.
    if (request.method !== "POST") return void response.writeHead(405, { allow: "POST" }).end();
    const body = await bodyOf(request);
    if (body === undefined) return void response.writeHead(413, { connection: "close" }).end();
    const message = readMessage(request.headers, body.toString());
    if (message === undefined) await this.#serveBySdk(webRequest(request, url, body), response);
    else respond(response, await answerMessage(message, toolsOf(door, this.#lookUp)));
    if (asksForTools(body)) door.saw();
  }

  async #serveBySdk(request: Request, response: ServerResponse): Promise<void> {
    this.#sdk ??= import("./mcp-sdk.js").then(({ sdkHandler }) =>
      sdkHandler(({ url, headers }) => {
        const door = this.#doorFor(url, headers.get("authorization"));
        return door === undefined ? [] : toolsOf(door, this.#lookUp);
      }, MAX_BODY),
    );
    await answer(response, await (await this.#sdk).fetch(request));
  }
}

export const startSubmitServer = (lookUp?: LookUp): Promise<SubmitServer> => new SubmitServer(lookUp).listen();

/** The variable that holds the token for an agent that gets the address on its command line. */
export const DOOR_TOKEN = "PLANWRIGHT_DOOR";

/** The port that an agent has to reach to hand in. */
export const doorPorts = (door: SubmitDoor | undefined): readonly number[] =>
  door === undefined ? [] : [Number(new URL(door.address).port)];

export const doorVariables = (door: SubmitDoor | undefined): Readonly<Record<string, string>> =>
  door === undefined ? {} : { [DOOR_TOKEN]: door.token };

// Whether a value fits a JSON Schema, and if not, where. What an agent claims about its own output counts for nothing.

type Validator = (value: unknown) => Promise<readonly string[]>;

/** Each schema is compiled once: that takes longer than everything it is used for. */
const VALIDATORS = new WeakMap<JsonSchema, Validator>();

/** Each problem starts with the path of the value that has it, such as `data/findings/0/id`. */
export function validatorOf(schema: JsonSchema): Validator {
  const validator = VALIDATORS.get(schema) ?? compile(schema);
  VALIDATORS.set(schema, validator);
  return validator;
}

function compile(schema: JsonSchema): Validator {
  let judge: Promise<SchemaJudge> | undefined;
  return async (value) => {
    judge ??= import("./mcp-sdk.js").then(({ schemaJudge }) => schemaJudge(schema));
    const wrong = (await (await judge)(value)) ?? [];
    return wrong.flatMap((message) => message.split(/, (?=data[/ ])/));
  };
}

const LOOK_UP = {
  name: "look_up",
  description: "Reads what the prompt names and does not show whole.",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "The name or the id that the prompt gives." },
      find: { type: "string", description: "Begin at the first line that has these words." },
      from: { type: "integer", minimum: 0, description: "Begin at this character; the answer says where it goes on." },
    },
    required: ["name"],
  },
} as const;

export const OUR_TOOLS = ["submit", "submit_json", LOOK_UP.name] as const;

/** Agents cut off what is much longer than this, in places of their own choice. */
const PAGE = 8_000;

/** A whole text if it is short, else a page of it and where the next one begins. */
export function answerLookUp(lookUp: LookUp, input: unknown): ToolResult {
  const { name, find, from } = (input ?? {}) as Readonly<Record<string, unknown>>;
  const called = typeof name === "string" ? name.trim() : "";
  const text = called === "" ? undefined : lookUp(called);
  if (text === undefined)
    return say(`Nothing is called "${called.slice(0, 60)}". Use a name that the prompt gives.`, true);
  const start = typeof from === "number" && from > 0 ? Math.floor(from) : 0;
  if (start > text.length) return say(`It ends at character ${text.length}.`, true);
  const at = typeof find === "string" && find !== "" ? text.indexOf(find, start) : start;
  if (at < 0) return say(`"${String(find).slice(0, 60)}" does not stand there after character ${start}.`, true);
  const begin = at === start ? start : Math.max(start, text.lastIndexOf("\n", at) + 1);
  const end = Math.min(text.length, begin + PAGE);
  if (begin === 0 && end === text.length) return say(text);
  const more = end < text.length ? ` Go on with from: ${end}.` : "";
  return say(`Characters ${begin} to ${end} of ${text.length}.${more}\n\n${text.slice(begin, end)}`);
}
