// What was said in a session, kept as JSON lines in a file that people can read: without secrets, and without
// growing beyond a limit. What was left out is said.

import { appendFileSync, statSync } from "node:fs";
import type { AgentEvent, AgentSession, Turn, TurnResult } from "./agent.js";
import { type Redact, redactAll } from "./redact.js";

export interface TranscriptOptions {
  readonly file: string;
  readonly redact: Redact;
  now(): Date;
  readonly maxBytes?: number;
}

const MAX_BYTES = 5_000_000;
/** How much of one text is kept; the rest is counted. */
const MAX_TEXT = 200_000;

type SpeechEvent = Extract<AgentEvent, { text: string }>;

const shorten = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)} [${text.length - MAX_TEXT} characters left out]`;

const shortenAll = (value: unknown): unknown => redactAll(value, shorten);

export class Transcript {
  readonly #options: TranscriptOptions;
  #size: number;
  #spoken: { readonly type: SpeechEvent["type"]; readonly pieces: string[] } | undefined;
  #leftOut = 0;

  constructor(options: TranscriptOptions) {
    this.#options = options;
    this.#size = statSync(options.file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Text comes in pieces. They are joined first: half a secret has no form by which one could know it. */
  event(event: AgentEvent): void {
    // It is written in full when the prompt ends.
    if (event.type === "spent") return;
    if (event.type !== "text" && event.type !== "thought") return this.entry(event);
    if (this.#spoken?.type !== event.type) this.#flush();
    this.#spoken ??= { type: event.type, pieces: [] };
    this.#spoken.pieces.push(event.text);
  }

  entry(entry: Readonly<Record<string, unknown>>): void {
    this.#flush();
    this.#write(entry);
  }

  /** Writes down what is still held back, and how much was left out. */
  settle(): void {
    this.#flush();
    if (this.#leftOut === 0) return;
    // The marker itself may pass the limit: a transcript that ends silently would look whole.
    this.#append({ type: "left-out", entries: this.#leftOut, because: "the transcript has reached its largest size" });
    this.#leftOut = 0;
  }

  #flush(): void {
    const spoken = this.#spoken;
    this.#spoken = undefined;
    if (spoken !== undefined) this.#write({ type: spoken.type, text: spoken.pieces.join("") });
  }

  #write(entry: Readonly<Record<string, unknown>>): void {
    if (this.#size >= (this.#options.maxBytes ?? MAX_BYTES)) this.#leftOut += 1;
    else this.#append(entry);
  }

  #append(entry: Readonly<Record<string, unknown>>): void {
    const clean = shortenAll(redactAll(entry, this.#options.redact)) as Record<string, unknown>;
    const line = `${JSON.stringify({ at: this.#options.now().toISOString(), ...clean })}\n`;
    this.#size += Buffer.byteLength(line);
    appendFileSync(this.#options.file, line, { mode: 0o600 });
  }
}

/** The same session, with everything that happens in it written down. */
export function recorded(session: AgentSession, transcript: Transcript): AgentSession {
  return {
    get id() {
      return session.id;
    },
    async turn(turn: Turn): Promise<TurnResult> {
      const ask = (text: string): string => {
        transcript.entry({ type: "prompt", text });
        return text;
      };
      ask(turn.prompt);
      const onEvent = (event: AgentEvent): void => {
        transcript.event(event);
        turn.onEvent?.(event);
      };
      const { judge, whole } = turn;
      const result = await session.turn({
        ...turn,
        onEvent,
        ...(judge && {
          judge: (output: unknown) => {
            const problems = judge(output);
            if (problems.length > 0) transcript.entry({ type: "refused", problems });
            return problems;
          },
        }),
        ...(whole && { whole: () => ask(whole()) }),
      });
      const { text: _, ...rest } = result;
      transcript.entry({ type: "result", session: session.id, ...rest });
      transcript.settle();
      return result;
    },
    close: () => session.close(),
  };
}
