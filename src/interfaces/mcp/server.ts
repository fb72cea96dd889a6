// The server as a client meets it: its tools, whom the client acts as, and calls that can be followed and cancelled.

import {
  type CallToolResult,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import type { App } from "../../app/app.js";
import type { AppEvent } from "../../app/session.js";
import { callTool } from "./call-tool.js";
import { KeptClaims } from "./claims.js";
import { progressLine } from "./progress.js";
import { type JsonObject, type ShownTool, showTool } from "./tool-schema.js";
import { TOOLS, type ToolDeclaration } from "./tools.js";

const INSTRUCTIONS =
  "Planwright keeps this project's plan: what to do, in which order, and what proves it. To work: claim next, do the task, complete it. A person approves plans. When something does not move, ask why.";

export interface McpOptions {
  readonly app: App;
  readonly version: string;
  /** Aborted when the process is asked to stop. */
  readonly stopped: () => AbortSignal;
}

/** What outlives one connection: who has claimed what, and calls that are not finished. */
export class McpSession {
  readonly #options: McpOptions;
  readonly #claims = new KeptClaims();
  readonly #apps = new Map<string, App>();
  readonly #running = new Set<Promise<unknown>>();
  #shown: Promise<readonly ShownTool[]> | undefined;

  constructor(options: McpOptions) {
    this.#options = options;
  }

  async serve(): Promise<McpServer> {
    const { version } = this.#options;
    const server = new McpServer({ name: "planwright", version }, { instructions: INSTRUCTIONS });
    this.#shown ??= Promise.all(TOOLS.map(showTool));
    const shown = await this.#shown;
    for (const [i, tool] of TOOLS.entries()) this.#register(server, tool, shown[i] as ShownTool);
    return server;
  }

  /** Resolves when every call that was begun has ended. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  #register(server: McpServer, tool: ToolDeclaration, shown: ShownTool): void {
    const { name, description, inputSchema, outputSchema, annotations } = shown;
    const config = {
      description,
      inputSchema: asSchema(inputSchema),
      outputSchema: asSchema(outputSchema),
      annotations,
    };
    server.registerTool(name, config, (given, context) => this.#call(server, tool, given, context));
  }

  #call(server: McpServer, tool: ToolDeclaration, given: unknown, context: ServerContext): Promise<CallToolResult> {
    const run = async (): Promise<CallToolResult> => {
      const app = await this.#appFor(clientName(server, context));
      const signal = AbortSignal.any([context.mcpReq.signal, this.#options.stopped()]);
      const door = { signal: () => signal, onEvent: progressTo(context) };
      return callTool(tool, given, { app, claims: this.#claims, canAskPerson: false, door });
    };
    const running = run();
    this.#running.add(running);
    const forget = (): unknown => this.#running.delete(running);
    running.then(forget, forget);
    return running;
  }

  /** A client is an agent, whoever started it. An agent's name that was given, or that the environment shows, comes first. */
  async #appFor(client: string): Promise<App> {
    const { app } = this.#options;
    const found = this.#apps.get(client);
    if (found) return found;
    const seen = await app.open().then(
      ({ actor }) => actor,
      () => "",
    );
    const made = app.as(seen.startsWith("agent:") && seen !== UNKNOWN ? seen : `agent:${client}`);
    // Without a plan nobody was seen yet.
    if (seen !== "") this.#apps.set(client, made);
    return made;
  }
}

const UNKNOWN = "agent:unknown";

/** As part of an actor's name: no spaces, no colons, not long. */
const asWord = (name: string): string => name.replace(/[^\w.@-]+/gu, "-").slice(0, 60) || "mcp-client";

const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/** Later protocols say it with each request, earlier ones once. */
function clientName(server: McpServer, { mcpReq }: ServerContext): string {
  const { [CLIENT_INFO]: info } = (mcpReq.envelope ?? {}) as Readonly<Record<string, { name?: unknown } | undefined>>;
  const name = info?.name ?? server.server.getClientVersion()?.name;
  return asWord(typeof name === "string" ? name : "");
}

/** Sends what happens to a client that asked for it. */
function progressTo({ mcpReq }: ServerContext): (event: AppEvent) => void {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (event) => {
    const message = progressLine(event);
    if (message === undefined) return;
    progress += 1;
    // A client that is gone does not need to know.
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } }).catch(() => {});
  };
}

/** Shown to clients as it is. What is given is judged by the operation, in our words. */
const asSchema = (schema: JsonObject): StandardSchemaWithJSON<unknown, unknown> => ({
  "~standard": {
    version: 1,
    vendor: "planwright",
    validate: (value) => ({ value }),
    jsonSchema: { output: () => ({ ...schema }), input: () => ({ ...schema }) },
  },
});
