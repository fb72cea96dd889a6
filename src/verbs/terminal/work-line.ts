// One line on the terminal that says how far a long job is. It goes when the job is done.

import { StoreFault } from "../../store/fault.js";
import type { WorkDone } from "../../store/progress.js";
import type { Terminal } from "../kit/view.js";

/** What takes less is over before anybody wonders. */
const QUIET_MS = 700;
const EVERY_MS = 100;

const CLEAR = "\r\u001b[K";

export class WorkLine {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  readonly #from: number;
  #drawn = 0;

  constructor(terminal: Terminal, now = Date.now) {
    this.#terminal = terminal;
    this.#now = now;
    this.#from = now();
  }

  /** Throws once you have pressed Ctrl-C, which takes back what was written so far. */
  show({ doing, done, total, unit }: WorkDone): void {
    if (this.#terminal.interrupted().aborted) throw stopped();
    const now = this.#now();
    if (
      !this.#terminal.interactive ||
      this.#terminal.json ||
      now - this.#from < QUIET_MS ||
      now - this.#drawn < EVERY_MS
    )
      return;
    this.#drawn = now;
    const all = total === null ? "" : ` of ${grouped(total)}`;
    const { style } = this.#terminal;
    this.#terminal.progress(
      `${CLEAR}${style.dim(`${doing}: ${grouped(done)}${all} ${unit}s. Ctrl-C stops it and changes nothing.`)}`,
    );
  }

  close(): void {
    if (this.#drawn > 0) this.#terminal.progress(CLEAR);
    this.#drawn = 0;
  }
}

const stopped = (): StoreFault =>
  new StoreFault({ kind: "interrupted", reason: "interrupted", message: "Stopped. Nothing was changed." });

/** With a comma after each three digits. */
const grouped = (number: number): string => number.toLocaleString("en-US");
