// Any agent that speaks the Agent Client Protocol: a process that is kept for many prompts, and opened again with
// the same conversation when it is gone or when it must learn of another door.

import { setTimeout as sleep } from "node:timers/promises";
import type { ContentBlock, PromptResponse, SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import * as acp from "@agentclientprotocol/sdk";
import { isRecord } from "../../base/json.js";
import { AcpConnection, type AcpHearing, type AcpTraits, AgentGone, describeError } from "./acp-connection.js";
import type { AgentEvent, SessionSpec } from "./agent.js";
import { type Conversation, joinId, type Reply, splitId, type TurnRequest } from "./conversation.js";
import { countedSince, NO_TOKENS, type Reading, type Tokens, tokensSince } from "./ledger.js";
import { SUBMIT_SERVER } from "./mcp.js";
import { brief, numberIn } from "./one-shot.js";
import { doorPorts } from "./submit.js";

const METHODS = acp.methods;
/** For the agent to admit that it was cancelled; then it is ended. */
const CANCEL_MS = 3_000;
/** For an agent to find our server, also on a machine that is busy; then it is asked without. */
const CONNECT_MS = 10_000;
/** A loaded conversation is replayed, and some agents still replay after they reported the end. */
const QUIET_MS = 300;
/** Longer than the minute that matters: the agent may begin to keep a conversation later than it says that it is there. */
const YOUNG_MS = 600_000;

class Aborted extends Error {}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, failed) => {
    const abort = (): void => failed(new Aborted());
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    work.then(done, failed).finally(() => signal.removeEventListener("abort", abort));
  });
}

type Opened = Pick<acp.NewSessionResponse, "modes" | "configOptions">;

/** What people call the options of the protocol. */
const KNOBS = { model: "model", thought_level: "effort" } as const;

export class AcpConversation implements Conversation {
  readonly #traits: AcpTraits;
  readonly #spec: SessionSpec;
  #connection: AcpConnection | undefined;
  #sessionId: string | undefined;
  /** What the process that is open calls the session. */
  #address = "";
  #bornAt = 0;
  #door: string | undefined;
  #resumes = false;
  #canReopen = false;
  /** Another conversation was begun in place of the one to continue, and has had no prompt yet. */
  #lost = false;
  #counted: Tokens = NO_TOKENS;
  #cost = 0;
  #costSeen: number | undefined;
  #reader = new AcpReader();
  #onEvent: ((event: AgentEvent) => void) | undefined;
  #overBudget: (() => void) | undefined;
  #heardAt = 0;

  constructor(traits: AcpTraits, spec: SessionSpec) {
    this.#traits = traits;
    this.#spec = spec;
    if (spec.resume === undefined) return;
    const { agentsId, note } = splitId(spec.resume);
    const [born, input, cached, output, cost] = note.split("_").map((part) => Number(part) || 0);
    this.#sessionId = agentsId;
    this.#bornAt = born ?? 0;
    if (traits.counting === "since the session began") {
      this.#counted = { input: input ?? 0, cached: cached ?? 0, output: output ?? 0 };
    }
    this.#cost = cost ?? 0;
  }

  get id(): string | null {
    if (this.#sessionId === undefined) return null;
    const { input, cached, output } = this.#counted;
    return joinId(this.#sessionId, [this.#bornAt, input, cached, output, this.#cost].join("_"));
  }

  get doors(): "on-reopening" | "once" {
    return this.#canReopen ? "on-reopening" : "once";
  }

  async prompt(ask: TurnRequest): Promise<Reply> {
    let greeted = this.#connection !== undefined;
    try {
      await untilAborted(this.#ready(ask), ask.signal);
      greeted = true;
      if (!this.#lost) return await this.#converse(ask);
      this.#lost = false;
      return { ending: "ended", lost: true };
    } catch (error) {
      return await this.#failed(error, greeted);
    } finally {
      this.#onEvent = undefined;
      this.#overBudget = undefined;
    }
  }

  close(): Promise<void> {
    return this.#letGo((connection) => connection.close());
  }

  async #letGo(end: (connection: AcpConnection) => Promise<void>): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection) await end(connection);
  }

  async #failed(error: unknown, greeted: boolean): Promise<Reply> {
    const { name } = this.#traits;
    if (error instanceof Aborted || !greeted) await this.#kill();
    if (error instanceof Aborted) return { ending: "cancelled" };
    const message = describeError(name, error);
    if (error instanceof AgentGone) {
      this.#connection = undefined;
      return { ending: greeted ? "crashed" : "unavailable", message };
    }
    const code = error instanceof acp.RequestError ? error.code : undefined;
    if (code === acp.RequestError.authRequired().code || !greeted) return { ending: "unavailable", message };
    // -32603 and numbers of its own: the model's host said no. -32600 to -32602: we do not understand each other.
    return { ending: code !== undefined && code <= -32600 && code >= -32602 ? "crashed" : "refused", message };
  }

  #kill(): Promise<void> {
    return this.#letGo((connection) => connection.kill());
  }

  /** A process that has the conversation and knows the door. */
  async #ready(ask: TurnRequest): Promise<void> {
    const knows = ask.door === undefined || ask.door.url === this.#door;
    if (this.#connection !== undefined && !this.#connection.ended && knows) return;
    await this.close();
    if (ask.signal.aborted) throw new Aborted();
    const hearing: AcpHearing = {
      onUpdate: (update) => this.#hear(update),
      onEvent: (event) => (this.#onEvent ? this.#onEvent(event) : ask.onEvent(event)),
    };
    const connection = new AcpConnection(this.#traits, this.#spec, hearing, doorPorts(ask.door));
    this.#connection = connection;
    if (this.#traits.counting === "since the process began") this.#counted = NO_TOKENS;
    const { loadSession, sessionCapabilities } = (await connection.greet()).agentCapabilities ?? {};
    this.#resumes = (sessionCapabilities?.resume ?? undefined) !== undefined;
    this.#canReopen = this.#resumes || loadSession === true;
    const opened = await this.#openSession(connection, ask);
    this.#door = ask.door?.url;
    await this.#choose(connection, opened, ask);
    if (ask.door !== undefined && this.#traits.connectsLate === true) {
      await connection.race(Promise.race([ask.door.seen, sleep(CONNECT_MS, undefined, { ref: false })]));
    }
  }

  async #openSession(connection: AcpConnection, ask: TurnRequest): Promise<Opened> {
    const { cwd } = this.#spec;
    const { door } = ask;
    const mcpServers: acp.McpServer[] =
      door === undefined ? [] : [{ type: "http", name: SUBMIT_SERVER, url: door.url, headers: [] }];
    if (this.#sessionId !== undefined) {
      this.#address = this.#nameOf(this.#sessionId);
      const reopened = await this.#reopen(connection, { sessionId: this.#address, cwd, mcpServers });
      if (reopened !== undefined) return reopened;
      this.#lost = true;
      [this.#counted, this.#cost] = [NO_TOKENS, 0];
    }
    const opened = await connection.race(connection.agent.request(METHODS.agent.session.new, { cwd, mcpServers }));
    this.#sessionId = opened.sessionId;
    this.#address = opened.sessionId;
    this.#bornAt = Date.now();
    return opened;
  }

  /** Undefined if the agent does not have the conversation any more. */
  async #reopen(connection: AcpConnection, request: acp.LoadSessionRequest): Promise<Opened | undefined> {
    if (!this.#canReopen) return undefined;
    const { resume, load } = METHODS.agent.session;
    try {
      if (this.#resumes) return (await connection.race(connection.agent.request(resume, request))) ?? {};
      const opened = await connection.race(connection.agent.request(load, request));
      await this.#quiet(connection);
      return opened ?? {};
    } catch (error) {
      if (error instanceof acp.RequestError) return undefined;
      throw error;
    }
  }

  #nameOf(id: string): string {
    const isYoung = Date.now() - this.#bornAt < YOUNG_MS;
    return isYoung ? (this.#traits.youngName?.(id) ?? id) : id;
  }

  async #quiet(connection: AcpConnection): Promise<void> {
    this.#heardAt = Date.now();
    while (Date.now() - this.#heardAt < QUIET_MS) await connection.race(sleep(QUIET_MS / 3));
  }

  /** Model and effort, where the agent lets a client choose. */
  async #choose(connection: AcpConnection, { configOptions, modes }: Opened, ask: TurnRequest): Promise<void> {
    const sessionId = this.#address;
    const wanted = [
      ["model", this.#spec.model],
      ["thought_level", this.#spec.effort],
    ] as const;
    for (const [category, value] of wanted) {
      const option = configOptions?.find((candidate) => candidate.category === category || candidate.id === category);
      if (value === undefined) continue;
      if (option?.type !== "select") {
        const isFlag = this.#traits.args(this.#spec).includes(value);
        if (!isFlag) this.#say(`does not let us choose its ${KNOBS[category]}, so "${value}" has no effect`, ask);
        continue;
      }
      if (option.currentValue === value) continue;
      const request = { sessionId, configId: option.id, value };
      await connection
        .race(connection.agent.request(METHODS.agent.session.setConfigOption, request))
        .catch((error: unknown) => this.#tolerate(error, `does not take ${value} as ${category}`, ask));
    }
    const readOnly = modes?.availableModes.find(({ id }) => id === "read-only");
    if (this.#spec.access === "read" && readOnly !== undefined) {
      const request = { sessionId, modeId: readOnly.id };
      await connection
        .race(connection.agent.request(METHODS.agent.session.setMode, request))
        .catch((error: unknown) => this.#tolerate(error, "does not take the mode read-only", ask));
    }
  }

  #tolerate(error: unknown, what: string, ask: TurnRequest): void {
    if (error instanceof AgentGone) throw error;
    this.#say(what, ask);
  }

  #say(what: string, ask: TurnRequest): void {
    ask.onEvent({ type: "notice", text: `${this.#traits.name} ${what}.` });
  }

  async #converse(ask: TurnRequest): Promise<Reply> {
    const connection = this.#connection as AcpConnection;
    const sessionId = this.#address;
    const costBefore = this.#cost;
    let tooDear = false;
    const stop = new AbortController();
    this.#onEvent = (event) => ask.onEvent(event);
    this.#overBudget = () => {
      if (ask.maxCostUsd === undefined || countedSince(costBefore, this.#costSeen ?? 0) <= ask.maxCostUsd) return;
      tooDear = true;
      stop.abort();
    };
    const prompt: ContentBlock[] = [{ type: "text", text: ask.prompt }];
    const answer = connection.race(connection.agent.request(METHODS.agent.session.prompt, { sessionId, prompt }));
    const response = await this.#answered(answer, connection, AbortSignal.any([ask.signal, stop.signal]));
    const reading = response && this.#reading(response);
    if (tooDear) return { ending: "over-budget", message: "The turn cost more than it may.", reading };
    if (ask.signal.aborted || response === undefined) return { ending: "cancelled", reading };
    return { ...endingOf(response.stopReason), reading };
  }

  /** The answer, also to a cancelled prompt; undefined if the agent had to be ended for it. */
  async #answered(
    answer: Promise<acp.PromptResponse>,
    connection: AcpConnection,
    signal: AbortSignal,
  ): Promise<acp.PromptResponse | undefined> {
    try {
      return await untilAborted(answer, signal);
    } catch (error) {
      if (!(error instanceof Aborted)) throw error;
    }
    await connection.agent.notify(METHODS.agent.session.cancel, { sessionId: this.#address }).catch(() => {});
    const patience = new AbortController();
    const late = sleep(CANCEL_MS, undefined, { signal: patience.signal });
    const response = await Promise.race([answer, late]).catch(() => undefined);
    patience.abort();
    late.catch(() => {});
    if (response === undefined) await this.#kill();
    return response ?? undefined;
  }

  #hear(update: acp.SessionUpdate): void {
    this.#heardAt = Date.now();
    if (update.sessionUpdate === "usage_update" && update.cost?.currency === "USD") {
      this.#costSeen = update.cost.amount;
      this.#overBudget?.();
    }
    // Outside a prompt it is a replay.
    const onEvent = this.#onEvent;
    if (onEvent === undefined) return;
    for (const event of this.#reader.read(update)) onEvent(event);
  }

  #reading(response: acp.PromptResponse): Reading | undefined {
    const { counting } = this.#traits;
    const now = counting === "not at all" ? undefined : tokensOf(response);
    const tokens = now === undefined || counting === "this turn" ? now : tokensSince(this.#counted, now);
    if (now !== undefined) this.#counted = now;
    const costUsd = this.#costSeen === undefined ? undefined : countedSince(this.#cost, this.#costSeen);
    this.#cost = this.#costSeen ?? this.#cost;
    if (tokens === undefined && costUsd === undefined) return undefined;
    return { tokens: tokens ?? NO_TOKENS, costUsd, model: this.#spec.model };
  }
}

function endingOf(stopReason: acp.StopReason): Reply {
  switch (stopReason) {
    case "end_turn":
    // Not cancelled by us: some agents end their turn like this when a permission is refused.
    case "cancelled":
      return { ending: "ended" };
    case "refusal":
      return { ending: "refused", message: "The model declined." };
    case "max_tokens":
    case "max_turn_requests":
      return { ending: "over-budget", message: `The agent reached a limit of its own (${stopReason}).` };
    default:
      return { ending: "crashed", message: `The agent ended its turn for an unknown reason (${String(stopReason)}).` };
  }
}

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

/** The tokens of an answer, in either of the two places where agents put them. */
export function tokensOf(response: PromptResponse): Tokens | undefined {
  const { usage, _meta: extras } = response as PromptResponse & { usage?: unknown };
  if (isRecord(usage)) {
    const cached = numberIn(usage["cachedReadTokens"]);
    return { input: numberIn(usage["inputTokens"]), output: numberIn(usage["outputTokens"]), cached };
  }
  const quota = extras?.["quota"];
  const counted = isRecord(quota) ? quota["token_count"] : undefined;
  if (!isRecord(counted)) return undefined;
  return { input: numberIn(counted["input_tokens"]), output: numberIn(counted["output_tokens"]), cached: 0 };
}
