// Live progress of every worker: one line each on a terminal, drawn over; elsewhere one line for each thing that happens.

import type { EngineEvent } from "../../engine/services.js";
import type { AppEvent } from "../kit/session.js";
import type { LiveDisplay, Terminal } from "../kit/view.js";
import { withinLine } from "../text/harmless.js";
import { inLine } from "../text/one-line.js";
import type { Style } from "../text/style.js";
import { WIDE_RULER } from "../text/wide-text.js";
import { seconds } from "../text/wording.js";

const { fit, widthOf } = WIDE_RULER;

interface Shown {
  readonly task: string;
  readonly since: number;
  state: string;
  tokens: number;
  last: string;
}

const FRAME_MS = 150;

const ICONS: Readonly<Record<string, (style: Style) => string>> = {
  accepted: (style) => style.green("✓"),
  pending: (style) => style.yellow("?"),
  rejected: (style) => style.red("✗"),
  failed: (style) => style.red("✗"),
  lost: (style) => style.yellow("~"),
  released: (style) => style.yellow("↩"),
};

export class RunProgress implements LiveDisplay {
  readonly #terminal: Terminal;
  readonly #shown = new Map<string, Shown>();
  #drawn = 0;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    if (terminal.interactive) this.#timer = setInterval(() => this.#draw(), FRAME_MS).unref();
  }

  onEvent(event: AppEvent): void {
    if (event.kind === "engine") this.#note(event.event);
  }

  #note(event: EngineEvent): void {
    if (event.type === "bell" || event.type === "landing") return;
    if (event.type === "notice") return this.#say(this.#terminal.style.yellow(withinLine(event.text)));
    if (event.type === "end") {
      this.#shown.delete(event.attempt);
      return this.#say(endLine(event, this.#terminal.style));
    }
    const shown = this.#shown.get(event.attempt) ?? this.#begin(event);
    if (event.type === "line") shown.last = inLine(event.line);
    else if (event.type === "tokens") shown.tokens = event.tokens;
    else if (shown.state !== event.state) {
      shown.state = event.state;
      if (!this.#terminal.interactive) this.#say(`${event.task} ${event.attempt} ${event.state}`);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#erase();
  }

  #begin({ attempt, task }: { readonly attempt: string; readonly task: string }): Shown {
    const shown: Shown = { task, since: performance.now(), state: "", tokens: 0, last: "" };
    this.#shown.set(attempt, shown);
    return shown;
  }

  #say(line: string): void {
    this.#erase();
    this.#terminal.progress(`${line}\n`);
  }

  #erase(): void {
    if (this.#drawn > 0) this.#terminal.progress(`\u001b[${this.#drawn}A\u001b[0J`);
    this.#drawn = 0;
  }

  #draw(): void {
    this.#erase();
    const lines = [...this.#shown.values()].map((shown) => liveLine(shown, this.#terminal.style));
    if (lines.length > 0) this.#terminal.progress(`${lines.join("\n")}\n`);
    this.#drawn = lines.length;
  }
}

function liveLine({ task, since, state, tokens, last }: Shown, style: Style): string {
  const elapsed = seconds(Math.round((performance.now() - since) / 1000) * 1000);
  const used = tokens > 0 ? ` · ${tokens} tokens` : "";
  // A line that the screen breaks in two would be erased by half.
  const head = fit(`▶ ${task} ${state} · ${elapsed}${used}`, style.columns - 1);
  return `${style.cyan(head)} ${style.dim(fit(last, style.columns - widthOf(head) - 2))}`;
}

const endLine = ({ task, attempt, state, note }: Extract<EngineEvent, { type: "end" }>, style: Style): string =>
  `${ICONS[state]?.(style) ?? "•"} ${task} ${style.dim(attempt)} ${state}${note === "" ? "" : `: ${inLine(note)}`}`;
