// Who connects, told apart by the connection: whoever floods the board or guesses waits, and nobody waits for another one.

import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Connections at once. */
const MAX_CONNECTIONS = 256;
/** How long a connection waits before its code is looked at, after so many wrong ones. */
export const codeWaitAfter = (wrong: number): number => 500 * 2 ** Math.min(wrong, 3);

interface Sender {
  readonly pace: Pace;
  wrong: number;
  turn: Promise<unknown>;
}

export class Senders {
  readonly #codeWait: (wrong: number) => number;
  readonly #senders = new WeakMap<Socket, Sender>();
  readonly #all = new Set<Socket>();
  /** Those that never sent a token that is good, the oldest first. */
  readonly #strangers = new Set<Socket>();

  constructor(server: Server, codeWait = codeWaitAfter, most = MAX_CONNECTIONS) {
    this.#codeWait = codeWait;
    server.on("connection", (socket: Socket) => {
      this.#all.add(socket);
      this.#strangers.add(socket);
      socket.once("close", () => {
        this.#all.delete(socket);
        this.#strangers.delete(socket);
      });
      if (this.#all.size <= most) return;
      // A program that holds connections open loses its own: a page that you just opened is the newest.
      const [oldest = socket] = this.#strangers;
      oldest.destroy();
    });
  }

  /** This connection sent a token that is good. */
  know(socket: Socket): void {
    this.#strangers.delete(socket);
  }

  /** False if this connection, which showed no token, asks too often. */
  mayAsk(socket: Socket): boolean {
    return this.#of(socket).pace.take();
  }

  /**
   * Tries a code. It waits first, so closing the connection saves a guesser no time, and one try waits for the other, so sending several
   * at once saves none either. Other connections do not wait.
   */
  async tryCode<T extends { readonly ok: boolean }>(socket: Socket, attempt: () => T): Promise<T> {
    const sender = this.#of(socket);
    const tried = sender.turn.then(async () => {
      await wait(this.#codeWait(sender.wrong), socket);
      const result = attempt();
      if (!result.ok) sender.wrong += 1;
      return result;
    });
    sender.turn = tried.catch(() => undefined);
    return tried;
  }

  #of(socket: Socket): Sender {
    let sender = this.#senders.get(socket);
    if (sender === undefined) {
      sender = { pace: new Pace(), wrong: 0, turn: Promise.resolve() };
      this.#senders.set(socket, sender);
    }
    return sender;
  }
}

/** Fails if the connection ends before the time is over: nothing of it is looked at then. */
const wait = (ms: number, socket: Socket): Promise<void> =>
  new Promise((done, failed) => {
    const isGone = (): void => {
      clearTimeout(timer);
      failed(new Error("The connection has ended."));
    };
    const timer = setTimeout(() => {
      socket.off("close", isGone);
      done();
    }, ms);
    if (socket.destroyed) isGone();
    else socket.once("close", isGone);
  });

// How many requests one sender may make: a burst when a page opens, and far more in a second than a person causes.
const BURST = 400;
const PER_SECOND = 200;

export class Pace {
  readonly #now: () => number;
  #left = BURST;
  #at: number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#at = now();
  }

  take(): boolean {
    const now = this.#now();
    this.#left = Math.min(BURST, this.#left + (Math.max(0, now - this.#at) / 1000) * PER_SECOND);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
