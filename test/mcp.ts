// A client of the MCP server in the same process, over a pair of streams as over standard input and output.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Client, type ClientOptions, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { serveMcpStdio } from "../src/doors/mcp/mcp-command.js";
import type { VerbName } from "../src/model/next-step.js";
import { App } from "../src/verbs/app.js";
import type { InputOf, OutputOf } from "../src/verbs/kit/verb.js";
import { must } from "./plan.js";

/** One JSON message per line, in both directions. */
class StreamTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: PassThrough;
  readonly #output: PassThrough;

  constructor(input: PassThrough, output: PassThrough) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    let rest = "";
    this.#input.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#output.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#output.end();
    this.onclose?.();
  }
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly data: any;
}

export interface McpClient {
  readonly client: Client;
  readonly call: (name: string, input?: unknown, options?: Parameters<Client["callTool"]>[1]) => Promise<ToolAnswer>;
  /** Ends the connection as a client does that is gone, and waits for the server. */
  readonly vanish: () => Promise<void>;
}

export interface ConnectOptions extends ClientOptions {
  readonly name?: string;
  /** What the server's own environment has besides. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface McpRig {
  readonly root: string;
  /** The plan, for the person. */
  readonly app: App;
  readonly ask: <Name extends VerbName>(name: Name, input: InputOf<Name>) => Promise<OutputOf<Name>>;
  readonly connect: (options?: ConnectOptions) => Promise<McpClient>;
}

const ENV = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", USER: "ada" };

/** A plan with the feature FEAT-001, in a folder of its own. */
export async function makeMcpRig(more: Readonly<Record<string, string>> = {}): Promise<McpRig> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "planwright-mcp-")));
  const env = { ...ENV, XDG_STATE_HOME: `${root}.state`, PLANWRIGHT_CONFIG: `${root}.config`, ...more };
  const app = new App({ folder: root, actor: "human:ada", env });
  onTestFinished(async () => {
    await app.close();
    for (const folder of [root, `${root}.state`, `${root}.config`]) rmSync(folder, { recursive: true, force: true });
  });
  const ask: McpRig["ask"] = async (name, input) => must(await app.call(name, input));
  await ask("init", {});
  await ask("add", { title: "Login", tier: "feature" });
  return { root, app, ask, connect: (options) => connect(app, { folder: root, env }, options) };
}

async function connect(
  app: App,
  place: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
  { name = "test-client", env, ...options }: ConnectOptions = {},
): Promise<McpClient> {
  const [up, down] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const own = env === undefined ? app : new App({ ...place, env: { ...place.env, ...env } });
  if (own !== app) onTestFinished(() => own.close());
  const served = serveMcpStdio({ app: own, version: "1", stopped: () => stop.signal }, { input: up, output: down });
  const client = new Client({ name, version: "1" }, options);
  await client.connect(new StreamTransport(down, up));
  const vanish = async (): Promise<void> => {
    await client.close();
    await served;
  };
  onTestFinished(vanish);
  return {
    client,
    vanish,
    call: async (tool, input = {}, rest = {}) => {
      const answered = await client.callTool({ name: tool, arguments: input as Record<string, unknown> }, rest);
      const [first] = answered.content;
      return {
        isError: answered.isError === true,
        text: first?.type === "text" ? first.text : "",
        data: answered.structuredContent,
      };
    },
  };
}
