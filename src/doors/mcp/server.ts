// The server as a client meets it: its tools, whom the client acts as, and calls that can be followed and cancelled.

import { McpServer, type ServerContext, type StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { type App, failureOf } from "../../verbs/app.js";
import type { AppEvent } from "../../verbs/kit/session.js";
import { harmless } from "../../verbs/kit/wording.js";
import { progressLines } from "../../verbs/text/progress-lines.js";
import { BegunCalls } from "../loopback.js";
import { OpenQuestions } from "./ask-person.js";
import { callTool, KeptClaims, type ToolReply } from "./call-tool.js";
import { registerPrompts } from "./prompts.js";
import { announceChanges, registerResources } from "./resources.js";

import { type JsonObject, type ShownTool, showTool, TOOLS, type ToolDeclaration } from "./tools.js";

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
  readonly #clients = new Map<string, KnownClient>();
  readonly #begun = new BegunCalls();
  readonly #open = new OpenQuestions();
  #shown: Promise<readonly ShownTool[]> | undefined;

  constructor(options: McpOptions) {
    this.#options = options;
  }

  /** `shared`: one connection serves many clients, and whoever opened it announces changes. */
  async serve(era: "legacy" | "modern", connection: Connection = "own"): Promise<McpServer> {
    const { version } = this.#options;
    const server = new McpServer({ name: "planwright", version }, { instructions: INSTRUCTIONS });
    this.#shown ??= Promise.all(TOOLS.map(showTool));
    const shown = await this.#shown;
    for (const [i, tool] of TOOLS.entries()) this.#register(server, tool, shown[i] as ShownTool, connection);
    const canSubscribe = connection === "own" || era === "modern";
    registerResources(server, async (context) => (await this.#clientOf(server, context)).app, canSubscribe);
    registerPrompts(server);
    if (connection === "own") this.#announceTo(server, era);
    return server;
  }

  async settled(): Promise<void> {
    await this.#begun.settled();
  }

  /** Earlier clients subscribe to single addresses. For later ones the SDK knows who listens to what. */
  #announceTo(server: McpServer, era: "legacy" | "modern"): void {
    const wanted = new Set<string>();
    const tell = async (uri: string): Promise<void> => {
      if (era === "modern" || wanted.has(uri)) await server.server.sendResourceUpdated({ uri });
    };
    const gone = new AbortController();
    const { onclose } = server.server;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a server has no events
    server.server.onclose = () => {
      onclose?.();
      gone.abort();
    };
    let following: Promise<unknown> | undefined;
    const follow = (): Promise<unknown> => {
      const signal = AbortSignal.any([gone.signal, this.#options.stopped()]);
      // Where there is no plan yet, or the client is gone, there is nothing to announce.
      const forget = (): void => {
        following = undefined;
      };
      const begun = announceChanges(this.#options.app, signal, tell);
      void this.#begun.track(begun.then(({ ended }) => ended).then(forget, forget));
      return begun.catch(forget);
    };
    if (era === "modern") {
      following = follow();
      return;
    }
    server.server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
      if (wanted.size < MAX_SUBSCRIPTIONS) wanted.add(uri);
      await (following ??= follow());
      return {};
    });
    server.server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
      wanted.delete(uri);
      return {};
    });
  }

  #register(server: McpServer, tool: ToolDeclaration, shown: ShownTool, connection: Connection): void {
    const { name, description, inputSchema, annotations } = shown;
    const config = { description, inputSchema: asSchema(inputSchema), annotations };
    server.registerTool(name, config, (given, context) => this.#call(server, tool, given, context, connection));
  }

  #call(server: McpServer, tool: ToolDeclaration, given: unknown, context: ServerContext, connection: Connection) {
    const run = async (): Promise<ToolReply> => {
      const client = await this.#clientOf(server, context);
      const signal = AbortSignal.any([context.mcpReq.signal, this.#options.stopped()]);
      const conversation = conversationOf(context) ?? (connection === "shared" ? null : undefined);
      const door = { signal: () => signal, onEvent: progressTo(context), conversation };
      return callTool(tool, given, { ...client, ...(await this.#askerOf(server, context, connection)), door });
    };
    return this.#begun.track(run());
  }

  /** Over HTTP any program can call itself what it likes, so only a client that started this server asks the person. */
  async #askerOf(server: McpServer, context: ServerContext, connection: Connection) {
    if (connection === "shared" || !canElicit(server, context)) return { person: undefined, notAsked: undefined };
    const name = clientName(server, context);
    const through = await this.#options.app.through(name).catch(failureOf);
    if (!through.ok) return { person: undefined, notAsked: through.error };
    return { person: { app: through.value, agent: name, open: this.#open, context }, notAsked: undefined };
  }

  /** A client is an agent, whoever started it. An agent's name that was given, or that the environment shows, comes first. */
  async #clientOf(server: McpServer, context: ServerContext): Promise<KnownClient> {
    const { app } = this.#options;
    const name = clientName(server, context);
    const known = this.#clients.get(name);
    if (known) return known;
    const seen = await app.open().then(
      ({ actor }) => actor,
      () => "",
    );
    const actor = seen.startsWith("agent:") && seen !== UNKNOWN ? seen : agentOfClient(name);
    const client = { app: app.as(actor), claims: new KeptClaims() };
    // Without a plan nobody was seen yet. Two calls at once must not keep two sets of claims.
    if (seen === "") return client;
    const first = this.#clients.get(name) ?? client;
    this.#clients.set(name, first);
    return first;
  }
}

type Connection = "own" | "shared";

interface KnownClient {
  readonly app: App;
  readonly claims: KeptClaims;
}

const MAX_SUBSCRIPTIONS = 1_000;

const UNKNOWN = "agent:unknown";

const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** Later protocols say it with each request, earlier ones once. An actor's name has no spaces and no colons and is not long. */
function clientName(server: McpServer, { mcpReq }: ServerContext): string {
  const { [CLIENT_INFO]: info } = (mcpReq.envelope ?? {}) as Readonly<Record<string, { name?: unknown } | undefined>>;
  const name = info?.name ?? server.server.getClientVersion()?.name;
  return (typeof name === "string" ? name : "").replace(/[^\w.@-]+/gu, "-").slice(0, 60) || "mcp-client";
}

/** Codex names the conversation with each call; other hosts do when they start the server, in its environment. */
function conversationOf({ mcpReq }: ServerContext): string | undefined {
  const { _meta: meta } = mcpReq;
  const { threadId } = (meta ?? {}) as Readonly<Record<string, unknown>>;
  return typeof threadId === "string" && threadId !== "" ? threadId : undefined;
}

/** Whether the client says that it can show a form to a person. */
function canElicit(server: McpServer, { mcpReq }: ServerContext): boolean {
  const { [CLIENT_CAPABILITIES]: given } = (mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  const { elicitation } = (given ?? server.server.getClientCapabilities() ?? {}) as { elicitation?: object };
  return elicitation !== undefined && !("url" in elicitation && !("form" in elicitation));
}

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

/** Shows clients the schema as it is. The operation judges what they give, in our words. */
const asSchema = (schema: JsonObject): StandardSchemaWithJSON<unknown, unknown> => ({
  "~standard": {
    version: 1,
    vendor: "planwright",
    validate: (value) => ({ value }),
    jsonSchema: { output: () => ({ ...schema }), input: () => ({ ...schema }) },
  },
});

// What happens during a long operation, in a few words for the client's progress line.

function progressLine(event: AppEvent): string | undefined {
  const line = lineOf(event);
  return line === undefined ? undefined : harmless(line).slice(0, 200);
}

function lineOf(event: AppEvent): string | undefined {
  if (event.kind === "check") return `Running ${event.check.run}`;
  if (event.kind === "engine") {
    const { event: told } = event;
    if (told.type === "state") return `${told.task}: ${told.state}`;
    if (told.type === "end") return `${told.task}: ${told.state}${told.note === "" ? "" : `, ${told.note}`}`;
    return told.type === "notice" ? told.text : undefined;
  }
  if (event.kind === "work") return `${event.work.doing} ${event.work.done} ${event.work.unit}s`;
  const { progress } = event;
  if (progress.type === "asking") return `Asking ${progress.agent} as ${progress.role} (${progress.stage})`;
  return progressLines(progress)[0];
}
/** What agents call themselves as clients of MCP, where that is another name than the one that their environment shows. */
const AGENTS: Readonly<Record<string, string>> = { "codex-mcp-client": "codex", "gemini-cli-mcp-client": "gemini-cli" };

const agentOfClient = (client: string): string =>
  Object.hasOwn(AGENTS, client) ? `agent:${AGENTS[client]}` : `agent:${client}`;
