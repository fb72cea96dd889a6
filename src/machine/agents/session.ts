// A session over any conversation: a time limit for the whole turn, structured output through the submit tool with
// one reminder, and usage by our own count.

import { clockMs } from "../process/clock.js";
import type { AgentEvent, AgentSession, Ending, JsonSchema, SessionSpec, Turn, TurnResult, Usage } from "./agent.js";
import { type Conversation, LOST, type Reply } from "./conversation.js";
import { addAgentUsage, NO_AGENT_USAGE, type Prices, usageOf } from "./ledger.js";
import { SUBMIT_SERVER } from "./mcp.js";
import { type Expectation, type SubmitDoor, type SubmitServer, startSubmitServer } from "./submit.js";

/** Tells the model the one way to answer. */
export const handInWith = (tool: string): string =>
  `When you are done, hand in the result by calling the tool \`${tool}\` of the MCP server \`${SUBMIT_SERVER}\`. ` +
  "If it answers with problems, correct them and call it again. Only what is handed in counts; other text is not read.";

export const reminder = (tool: string): string =>
  `You have ended your turn without handing in a result. Call the tool \`${tool}\` of the MCP server ` +
  `\`${SUBMIT_SERVER}\` now, with the whole result.`;

const handInAsText = (schema: JsonSchema): string =>
  `${handInWith("submit_json")}\nIts argument \`json\` is JSON text of this shape (JSON Schema):\n${JSON.stringify(schema)}`;

/** More than this of what an agent says is not kept. */
const MAX_TEXT = 32 * 1024 * 1024;

interface Output {
  readonly expectation: Expectation;
  readonly door: SubmitDoor;
  readonly tool: string;
  readonly instruction: string;
}

type Deadline = ReturnType<typeof deadline>;

/** The time limit and the caller's own signal, as one. */
function deadline({ timeoutMs, signal: own }: Turn) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  const signal = own ? AbortSignal.any([limit.signal, own]) : limit.signal;
  return {
    signal,
    /** The time was up before the caller cancelled. */
    isTimeout: () => limit.signal.aborted && signal.reason === limit.signal.reason,
    clear: () => clearTimeout(timer),
  };
}

class TurnRecord {
  readonly #turn: Turn;
  readonly #pieces: string[] = [];
  #length = 0;
  usage: Usage = NO_AGENT_USAGE;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  readonly tell = (event: AgentEvent): void => {
    if (event.type === "text") this.#keep(event.text);
    this.#turn.onEvent?.(event);
  };

  #keep(text: string): void {
    const room = MAX_TEXT - this.#length;
    this.#length += text.length;
    if (room > 0) this.#pieces.push(text.slice(0, room));
    if (room > 0 && text.length >= room) this.tell({ type: "notice", text: "The agent says more than is kept." });
  }

  count(reply: Reply, prices: Prices): void {
    if (reply.reading === undefined) return;
    const usage = usageOf(reply.reading, prices);
    this.usage = addAgentUsage(this.usage, usage);
    this.tell({ type: "usage", usage });
  }

  get text(): string {
    return this.#pieces.join("");
  }
}

export class ConversationSession implements AgentSession {
  readonly #conversation: Conversation;
  readonly #spec: SessionSpec;
  readonly #prices: Prices;
  #server: Promise<SubmitServer> | undefined;
  #door: SubmitDoor | undefined;
  #expectation: Expectation | undefined;
  #busy = false;

  constructor(conversation: Conversation, spec: SessionSpec, prices: Prices) {
    this.#conversation = conversation;
    this.#spec = spec;
    this.#prices = prices;
  }

  get id(): string | null {
    return this.#conversation.id;
  }

  async turn(turn: Turn): Promise<TurnResult> {
    if (this.#busy) throw new Error("A session takes one turn at a time.");
    this.#busy = true;
    const limit = deadline(turn);
    try {
      return await this.#take(turn, limit);
    } finally {
      limit.clear();
      this.#expectation?.end();
      if (this.#conversation.doors === "each-prompt") this.#closeDoor();
      this.#busy = false;
    }
  }

  async #take(turn: Turn, limit: Deadline): Promise<TurnResult> {
    const started = clockMs();
    const telling = new TurnRecord(turn);
    const output = await this.#prepareOutput(turn);
    const reply = await this.#ask(turn, limit.signal, telling, output);
    const ending = this.#endingOf(reply, output, limit.isTimeout());
    const message = reply.message ?? DEFAULT_MESSAGES[ending] ?? "";
    const accepted = ending === "finished" ? output?.expectation.accepted : undefined;
    return {
      ending,
      text: telling.text,
      ...(accepted !== undefined && { output: accepted.value }),
      usage: telling.usage,
      durationMs: Math.round(clockMs() - started),
      ...(message !== "" && { message }),
    };
  }

  async close(): Promise<void> {
    await this.#conversation.close();
    this.#closeDoor();
    const server = await this.#server;
    this.#server = undefined;
    await server?.close();
  }

  async #ask(turn: Turn, signal: AbortSignal, telling: TurnRecord, output: Output | undefined): Promise<Reply> {
    const { maxCostUsd } = turn;
    const common = { signal, onEvent: telling.tell, door: output?.door ?? this.#door, maxCostUsd };
    const asking = (words: string): string => (output === undefined ? words : `${words}\n\n${output.instruction}`);
    /** A conversation that was lost gets everything, whatever it was to get. */
    const prompt = async (words: string): Promise<Reply> => {
      let reply = await this.#conversation.prompt({ ...common, prompt: words });
      if (reply.lost) {
        telling.tell(LOST);
        reply = await this.#conversation.prompt({ ...common, prompt: asking(turn.whole?.() ?? turn.prompt) });
      }
      telling.count(reply, this.#prices);
      return reply;
    };
    const reply = await prompt(asking(turn.prompt));
    if (output === undefined || reply.ending !== "ended" || output.expectation.accepted !== undefined) return reply;
    telling.tell({ type: "notice", text: "The turn ended without a result; the agent is reminded once." });
    return prompt(reminder(output.tool));
  }

  /** Opens a door for what is asked for, or uses the one that the agent already knows. */
  async #prepareOutput({ schema, judge }: Turn): Promise<Output | undefined> {
    const { doors } = this.#conversation;
    const isNew = this.#door === undefined;
    if (schema === undefined) {
      // An agent that learns of doors only once must learn of one now.
      if (isNew && doors === "once") this.#door = (await this.#openServer()).open();
      return undefined;
    }
    const same = this.#door !== undefined && JSON.stringify(this.#door.schema) === JSON.stringify(schema);
    if (isNew || (!same && doors !== "once")) {
      this.#closeDoor();
      this.#door = (await this.#openServer()).open(schema);
    }
    const door = this.#door as SubmitDoor;
    const fits = JSON.stringify(door.schema) === JSON.stringify(schema);
    const expectation = door.expect(schema, judge);
    this.#expectation = expectation;
    return fits
      ? { expectation, door, tool: "submit", instruction: handInWith("submit") }
      : { expectation, door, tool: "submit_json", instruction: handInAsText(schema) };
  }

  #openServer(): Promise<SubmitServer> {
    this.#server ??= startSubmitServer(this.#spec.lookUp);
    return this.#server;
  }

  #closeDoor(): void {
    this.#door?.close();
    this.#door = undefined;
  }

  #endingOf(reply: Reply, output: Output | undefined, timedOut: boolean): Ending {
    if (reply.ending === "cancelled") return timedOut ? "timeout" : "cancelled";
    if (reply.ending !== "ended") return reply.ending;
    return output === undefined || output.expectation.accepted !== undefined ? "finished" : "no-output";
  }
}

const DEFAULT_MESSAGES: Partial<Readonly<Record<Ending, string>>> = {
  "no-output": "The agent ended its turn twice without handing in a result that fits.",
  timeout: "The agent's time was up.",
  cancelled: "The turn was cancelled.",
};
