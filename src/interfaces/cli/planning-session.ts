// A person, or nobody, in front of a planning run: progress on standard error, questions where somebody can answer,
// and Ctrl-C that leaves nothing behind but a run that can go on.

import type { Escalation } from "../../graph/item/escalation.js";
import type { AgentEvent } from "../../planning/driver/progress.js";
import type { Hooks } from "../../planning/driver/services.js";
import type { App } from "./command.js";
import { inLine } from "./one-line.js";
import { progressLines, seconds } from "./render-planning.js";
import { harmless } from "./style.js";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;
/** Of what an agent says, no line shows more. */
const LAST_WORDS = 300;

/** The line that moves while a role is asked. */
class Live {
  readonly #app: App;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #what = "";
  #last = "";
  #tokens = 0;
  #frame = 0;

  constructor(app: App) {
    this.#app = app;
  }

  begin(what: string): void {
    this.#what = what;
    this.#since = performance.now();
    this.#last = "";
    this.#tokens = 0;
    if (!this.#app.interactive) return;
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS);
    this.#timer.unref();
  }

  note(event: AgentEvent): void {
    if (event.type === "usage") this.#tokens = event.usage.inputTokens + event.usage.outputTokens;
    else if (event.type === "tool") this.#last = `${event.name} ${event.detail}`;
    else if (event.type === "text" || event.type === "notice") this.#last = event.text;
  }

  #draw(): void {
    const { style } = this.#app;
    const frame = FRAMES[this.#frame++ % FRAMES.length] as string;
    const elapsed = seconds(Math.round((performance.now() - this.#since) / 1000) * 1000);
    const tokens = this.#tokens > 0 ? ` · ${this.#tokens} tokens` : "";
    const room = Math.max(0, style.columns - this.#what.length - elapsed.length - tokens.length - 12);
    const last = room === 0 ? "" : inLine(this.#last.slice(-LAST_WORDS)).slice(-room);
    this.#app.progress(`\r\u001b[2K${style.cyan(frame)} ${this.#what} · ${elapsed}${tokens} ${style.dim(last)}`);
  }

  end(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#app.progress("\r\u001b[2K");
  }
}

/** A question may be a model's words: it is drawn by a library that hands everything on to the terminal. */
const shown = (asked: Escalation): Escalation => ({
  ...asked,
  question: harmless(asked.question),
  context: harmless(asked.context),
  options: asked.options.map(({ id, label, detail }) => ({ id, label: inLine(label), detail: inLine(detail) })),
});

/** `json`: the answer is for a program, which reads no progress. */
export function planningHooks(app: App, { json }: { readonly json: boolean }): Hooks & { end(): void } {
  const live = new Live(app);
  const say = (line: string): void => {
    live.end();
    if (!json) app.progress(`${line}\n`);
  };
  const hooks: Hooks = {
    signal: app.interrupted(),
    onProgress: (progress) => {
      if (progress.type === "agent") return live.note(progress.event);
      for (const line of progressLines(progress, app.style)) say(line);
      if (progress.type !== "asking") return;
      const { role, stage, agent, model, part, repair } = progress;
      const details = [
        stage,
        agent,
        model ?? "",
        part.of > 1 ? `part ${part.number} of ${part.of}` : "",
        repair > 0 ? `repair ${repair}` : "",
      ];
      live.begin(`${role} · ${details.filter(Boolean).join(" · ")}`);
    },
  };
  const end = (): void => live.end();
  if (!app.interactive || json) return { ...hooks, end };
  return {
    ...hooks,
    end,
    ask: async (key, escalation) => {
      live.end();
      const { askEscalation } = await import("./ask.js");
      return askEscalation(key, shown(escalation));
    },
  };
}
