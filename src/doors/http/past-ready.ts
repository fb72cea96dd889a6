// Keeps states of the plan's past, while the board is served: going back in time does not wait for them to be made.

import type { App } from "../../verbs/app.js";

/** After the first page was drawn, and then now and then. */
const FIRST_MS = 3_000;
const EVERY_MS = 60_000;

/** Until the server is stopped. What cannot be kept is made at the first look. */
export function keepPastReady(app: App, stopped: AbortSignal): void {
  let timer = setTimeout(look, FIRST_MS);
  timer.unref();
  function look(): void {
    const again = (): void => {
      if (stopped.aborted) return;
      timer = setTimeout(look, EVERY_MS);
      timer.unref();
    };
    app
      .open()
      .then(({ store }) => store.preparePast(stopped))
      .then(again, again);
  }
  stopped.addEventListener("abort", () => clearTimeout(timer));
}
