// The one stream of events. One follower of the log serves all clients; each operation becomes one string that is written to each of
// them. A client that comes back gets what it missed from the log, and then goes on with the others.

import type { ServerResponse } from "node:http";
import type { App } from "../../verbs/app.js";
import type { AppEvent } from "../../verbs/kit/session.js";
import { writeHead } from "./respond.js";

const MAX_CLIENTS = 64;
/** What a client may leave unread before it is closed. */
const MAX_UNREAD_BYTES = 1_000_000;
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ":\n\n";

interface Client {
  readonly response: ServerResponse;
  /** The latest operation that was written to it. */
  last: number;
  /** It has caught up with the others. */
  isLive: boolean;
  /** Whether its sign-in still holds. */
  readonly mayRead: () => boolean;
}

type Event = Parameters<typeof toText>[0];

const toText = (event: { readonly op: number }): string =>
  `id: ${event.op}\nevent: operation\ndata: ${JSON.stringify(event)}\n\n`;

export interface HubOptions {
  readonly app: App;
  readonly stopped: AbortSignal;
  readonly heartbeatMs?: number;
}

export class EventHub {
  readonly #options: HubOptions;
  readonly #clients = new Set<Client>();
  /** The latest operation that was written to everybody. */
  #last = 0;
  #following: Promise<void> | undefined;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  get clients(): number {
    return this.#clients.size;
  }

  get isFull(): boolean {
    return this.#clients.size >= MAX_CLIENTS;
  }

  /** Follows the log from here on. Resolves when the server is stopped. */
  start(op: number): void {
    this.#last = op;
    const { stopped, heartbeatMs = HEARTBEAT_MS } = this.#options;
    const beats = setInterval(() => this.broadcast(HEARTBEAT), heartbeatMs);
    beats.unref();
    stopped.addEventListener("abort", () => clearInterval(beats));
    this.#following = this.#follow();
  }

  async ended(): Promise<void> {
    await this.#following;
    for (const { response } of this.#clients) response.end();
  }

  async #follow(): Promise<void> {
    const { app, stopped } = this.#options;
    for await (const event of app.events(this.#last, { signal: stopped, withRows: () => this.#clients.size > 0 })) {
      const text = toText(event);
      this.#last = event.op;
      for (const client of this.#clients) if (client.isLive) this.#send(client, event, text);
    }
  }

  /** `after`: what the client has seen; without it, the stream begins with the next operation. */
  async attach(response: ServerResponse, after: number | undefined, mayRead = () => true): Promise<void> {
    const client: Client = { response, last: Math.min(after ?? this.#last, this.#last), isLive: false, mayRead };
    writeHead(response, 200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" });
    response.write("retry: 1000\n\n");
    this.#clients.add(client);
    response.once("close", () => this.#clients.delete(client));
    await this.#catchUp(client);
  }

  async #catchUp(client: Client): Promise<void> {
    const { app, stopped } = this.#options;
    const done = new AbortController();
    client.response.once("close", () => done.abort());
    const signal = AbortSignal.any([stopped, done.signal]);
    while (client.last < this.#last && !signal.aborted) {
      const target = this.#last;
      for await (const event of app.events(client.last, { signal })) {
        this.#send(client, event, toText(event));
        if (client.response.writableNeedDrain) await drained(client.response);
        if (event.op >= target) break;
      }
    }
    // Nothing was awaited since the comparison, so no operation falls in between.
    client.isLive = true;
  }

  /** Tells every client how far a landing is that was begun here. */
  tell(event: AppEvent): void {
    if (event.kind !== "engine" || event.event.type !== "landing") return;
    const { type, ...rest } = event.event;
    this.broadcast(`event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`);
  }

  /** Sends what is no operation: heartbeats, and signs of life of attempts. */
  broadcast(text: string): void {
    for (const client of this.#clients) this.#write(client, text);
  }

  #send(client: Client, { op }: Event, text: string): void {
    if (op <= client.last) return;
    client.last = op;
    this.#write(client, text);
  }

  /** Closes a client that does not read, or may not any more. It comes back with the number of the last operation that it has seen. */
  #write(client: Client, text: string): void {
    const { response } = client;
    if (response.destroyed) return;
    if (response.writableLength > MAX_UNREAD_BYTES || !client.mayRead()) response.destroy();
    else response.write(text);
  }
}

/** Waits until the client has read what was written to it, or is gone. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((done) => {
    if (response.destroyed || !response.writableNeedDrain) done();
    response.once("drain", done).once("close", done);
  });

// Signs of life of running attempts, read once a second while a page follows them, and sent when they changed.

const EVERY_MS = 1_000;

export function watchAttempts(app: App, hub: EventHub, stopped: AbortSignal, everyMs = EVERY_MS): void {
  const sent = new Map<string, string>();
  let isLooking = false;
  const look = async (): Promise<void> => {
    const signs = await app.signsOfLife();
    const live = new Set(signs.map(({ id }) => id));
    for (const id of sent.keys()) if (!live.has(id)) sent.delete(id);
    for (const sign of signs) {
      const text = `event: attempt\ndata: ${JSON.stringify(sign)}\n\n`;
      if (sent.get(sign.id) === text) continue;
      sent.set(sign.id, text);
      hub.broadcast(text);
    }
  };
  const timer = setInterval(() => {
    if (hub.clients === 0 || isLooking || stopped.aborted) return;
    isLooking = true;
    // The next look tries again: a plan that cannot be read now says so to whoever asks it something.
    const done = (): void => {
      isLooking = false;
    };
    look().then(done, done);
  }, everyMs);
  timer.unref();
  stopped.addEventListener("abort", () => clearInterval(timer));
}

/** The first time is after the first page was drawn. */
const FIRST_PAST_MS = 3_000;
const PAST_MS = 60_000;

/** Keeps past states ready until the server is stopped. What cannot be kept is made at the first look. */
export function keepPastReady(app: App, stopped: AbortSignal): void {
  let timer = setTimeout(look, FIRST_PAST_MS);
  timer.unref();
  function look(): void {
    const again = (): void => {
      if (stopped.aborted) return;
      timer = setTimeout(look, PAST_MS);
      timer.unref();
    };
    app
      .open()
      .then(({ store }) => store.preparePast(stopped))
      .then(again, again);
  }
  stopped.addEventListener("abort", () => clearTimeout(timer));
}
