// Keeps the one stream of the page open: reads it with the token in a header, goes on after a break where it was, waits longer after each
// failure, and ends it while the page is put away.

import { EventText, type StreamEvent } from "./event-text.js";
import { dropToken, token } from "./token.js";

export interface StreamOptions {
  readonly path: string;
  /** The number of the last event that is known. */
  readonly last: () => number;
  readonly onOpen: () => void;
  readonly onEvent: (event: StreamEvent) => void;
  readonly onBreak: () => void;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 8_000;

/** How long to wait after so many failures in a row. */
const waitAfter = (failures: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);

let goOn: (() => void) | undefined;

/** Tries again now, if the stream waits. */
export const tryAgain = (): void => goOn?.();

const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    const timer = Number.isFinite(ms) ? setTimeout(() => goOn?.(), ms) : undefined;
    goOn = () => {
      clearTimeout(timer);
      goOn = undefined;
      done();
    };
  });

/** For as long as the page is there. */
export async function keepReading(options: StreamOptions): Promise<never> {
  let reading: AbortController | undefined;
  let isPutAway = false;
  addEventListener("pagehide", () => {
    isPutAway = true;
    reading?.abort();
  });
  addEventListener("pageshow", () => {
    isPutAway = false;
    tryAgain();
  });
  addEventListener("online", tryAgain);
  document.addEventListener("visibilitychange", () => !document.hidden && tryAgain());
  token.watch(tryAgain);
  for (let failures = 0; ; ) {
    const held = token.get();
    if (held === undefined || isPutAway) {
      await pause(Number.POSITIVE_INFINITY);
      continue;
    }
    reading = new AbortController();
    const wasOpen = await read(options, held, reading);
    failures = wasOpen ? 0 : failures + 1;
    options.onBreak();
    await pause(waitAfter(failures));
  }
}

/** Until it breaks. Answers whether it was open. */
async function read(options: StreamOptions, held: string, reading: AbortController): Promise<boolean> {
  let wasOpen = false;
  try {
    const headers = { authorization: `Bearer ${held}`, "last-event-id": String(options.last()) };
    const { signal } = reading;
    const response = await fetch(options.path, { headers, signal, credentials: "omit", cache: "no-store" });
    if (response.status === 401) dropToken(held);
    if (!response.ok || response.body === null) return false;
    wasOpen = true;
    options.onOpen();
    const events = new EventText();
    const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await pieces.read();
      if (done) return true;
      for (const event of events.push(value)) options.onEvent(event);
    }
  } catch {
    return wasOpen;
  } finally {
    reading.abort();
  }
}
