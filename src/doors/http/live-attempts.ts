// Signs of life of running attempts, read once a second while a page follows them, and sent when they changed.

import type { App } from "../../verbs/app.js";
import type { EventHub } from "./events.js";

const EVERY_MS = 1_000;

/** Until the server is stopped. */
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
