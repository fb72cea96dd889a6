// Server-sent events, read from text that comes in pieces: EventSource sends no headers, so the page reads the stream itself.

export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** More than any event has. Whatever sends more without an end is no stream of ours. */
const MOST_UNFINISHED = 16_000_000;

export class EventText {
  #rest = "";
  /** Up to where no end of an event was found. */
  #searched = 0;

  /** The events that end in this piece. Comments are left out. */
  push(piece: string): StreamEvent[] {
    this.#rest += piece;
    const events: StreamEvent[] = [];
    for (;;) {
      const end = this.#rest.indexOf("\n\n", this.#searched);
      if (end === -1) break;
      const event = readEvent(this.#rest.slice(0, end));
      if (event) events.push(event);
      this.#rest = this.#rest.slice(end + 2);
      this.#searched = 0;
    }
    if (this.#rest.length > MOST_UNFINISHED) throw new Error("An event without an end.");
    this.#searched = Math.max(0, this.#rest.length - 1);
    return events;
  }
}

function readEvent(block: string): StreamEvent | undefined {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, field, value = ""] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
  return data.length === 0 ? undefined : { name, data: data.join("\n") };
}
