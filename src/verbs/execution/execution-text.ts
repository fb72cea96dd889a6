import type { LiveDisplay, Terminal } from "../kit/view.js";
import { harmless } from "../text/harmless.js";

/** What a program says while it works, one line each. */
export const lines = (terminal: Terminal): LiveDisplay => ({
  onEvent: (event) => {
    if (event.kind !== "engine") return;
    if (event.event.type === "line") terminal.progress(`${terminal.style.dim(harmless(event.event.line))}\n`);
    if (event.event.type === "notice") terminal.progress(`${harmless(event.event.text)}\n`);
  },
  close: () => undefined,
});
