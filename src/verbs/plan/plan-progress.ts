// What a person sees while a planning run goes on: a line for each finished step, and one that moves while an agent works.

import type { AgentEvent } from "../../machine/agents/agent.js";
import type { Progress } from "../../planning/run/services.js";
import type { LiveDisplay, Terminal } from "../kit/view.js";
import { progressLines } from "../text/progress-lines.js";
import { inLine, seconds } from "../text/wording.js";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;
/** Of what an agent says, no line shows more. */
const LAST_WORDS = 300;

/** The line that moves while a role is asked. */
class Spinner {
  readonly #terminal: Terminal;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #what = "";
  #last = "";
  #tokens = 0;
  #frame = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  start(what: string): void {
    this.#what = what;
    this.#since = performance.now();
    this.#last = "";
    this.#tokens = 0;
    if (!this.#terminal.interactive) return;
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS);
    this.#timer.unref();
  }

  note(event: AgentEvent): void {
    if (event.type === "usage") this.#tokens = event.usage.inputTokens + event.usage.outputTokens;
    else if (event.type === "tool") this.#last = `${event.name} ${event.detail}`;
    else if (event.type === "text" || event.type === "notice") this.#last = event.text;
  }

  #draw(): void {
    const { style } = this.#terminal;
    const frame = FRAMES[this.#frame++ % FRAMES.length] as string;
    const elapsed = seconds(Math.round((performance.now() - this.#since) / 1000) * 1000);
    const tokens = this.#tokens > 0 ? ` · ${this.#tokens} tokens` : "";
    const room = Math.max(0, style.columns - this.#what.length - elapsed.length - tokens.length - 12);
    const last = room === 0 ? "" : inLine(this.#last.slice(-LAST_WORDS)).slice(-room);
    this.#terminal.progress(`\r\u001b[2K${style.cyan(frame)} ${this.#what} · ${elapsed}${tokens} ${style.dim(last)}`);
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#terminal.progress("\r\u001b[2K");
  }
}

/** Progress of a planning run on standard error. */
export function planProgress(terminal: Terminal): LiveDisplay {
  const spinner = new Spinner(terminal);
  return {
    onEvent: (event) => {
      if (event.kind !== "planning") return;
      const { progress } = event;
      if (progress.type === "agent") return spinner.note(progress.event);
      for (const line of progressLines(progress, terminal.style)) {
        spinner.stop();
        terminal.progress(`${line}\n`);
      }
      if (progress.type === "asking") spinner.start(labelOf(progress));
    },
    close: () => spinner.stop(),
  };
}

function labelOf({ role, stage, agent, model, part, repair }: Extract<Progress, { type: "asking" }>): string {
  const details = [
    stage,
    agent,
    model ?? "",
    part.of > 1 ? `part ${part.number} of ${part.of}` : "",
    repair > 0 ? `repair ${repair}` : "",
  ];
  return `${role} · ${details.filter(Boolean).join(" · ")}`;
}
