// What every server on this machine shares. A page of another site reaches such a server through the browser, under its own origin,
// or under a name of its own that it points here: so every server of ours asks first who may talk to it.

import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";

export const LOOPBACK = "127.0.0.1";

/** The one origin of a server of ours. `localhost` is another: whoever listens on [::1] may answer there. */
export const loopbackOrigin = (port: number): string => new URL(`http://${LOOPBACK}:${port}`).origin;

const LOCAL = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?$/i;

/** Whether the header `Host` names this machine, and this port if one is given. */
export function isLocalHost(host: string | undefined, port?: number): boolean {
  const [all, named] = LOCAL.exec(host ?? "") ?? [];
  return all !== undefined && (port === undefined || Number(named ?? 80) === port);
}

/** Whether the header `Origin`, if there is one, is a page of this machine. */
export function isLocalOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  return origin.startsWith("http://") && isLocalHost(origin.slice("http://".length));
}

/** Takes the same time for any two texts. */
export const isSameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Calls that a server has begun: it does not end before they have. */
export class BegunCalls {
  readonly #running = new Set<Promise<unknown>>();

  track<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running);
    const forget = (): unknown => this.#running.delete(running);
    running.then(forget, forget);
    return running;
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}

export const listenHere = (server: Server, port: number): Promise<void> =>
  new Promise((done, failed) => {
    server.once("error", failed);
    server.listen(port, LOOPBACK, done);
  });

export async function untilStopped(stopped: AbortSignal): Promise<void> {
  if (!stopped.aborted) await once(stopped, "abort");
}

/** Does not wait for clients that are still connected. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
