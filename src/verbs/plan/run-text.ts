import type { AgentEvent } from "../../machine/agents/agent.js";
import { ok, type Result } from "../../model/result.js";
import type { ApprovalPreview } from "../../plan/node/approval-preview.js";
import { LINT_LEVELS } from "../../planning/contracts/findings.js";
import type { AppliedRun } from "../../planning/run/apply.js";
import type { EditedRunView } from "../../planning/run/edit.js";
import type { Hooks, Progress } from "../../planning/run/services.js";
import type { PlanningRunView } from "../../planning/run/view.js";
import { choice, filled, flag, key, number, optional, rule, wholeNumber } from "../kit/schema.js";
import type { Door, Session } from "../kit/session.js";
import { errorStyle, type Style } from "../kit/style.js";
import type { After, LiveDisplay, Terminal } from "../kit/view.js";
import { elapsedSince, inLine } from "../kit/wording.js";
import { appliedText, editLines, runLines } from "../text/plan-lines.js";
import { previewText } from "../text/preview-lines.js";
import { progressLines } from "../text/progress-lines.js";

export const runKey = optional(key("run", "a planning run; the unfinished one unless given", "RUN"));

export const isPersonHere = ({ interactive, json }: Terminal): boolean => interactive && !json;

/** With what was read from a document that a person edited, and what was not. */
const runText = (run: PlanningRunView & Partial<Pick<EditedRunView, "edits">>, style: Style): string =>
  [...(run.edits === undefined ? [] : editLines(run.edits, style)), ...runLines(run, style)].join("\n");

/** What every operation shows that ends with a run, wherever the run stands. */
export const RUN_VIEW = {
  live: planProgress,
  text: runText,
  next: ({ next }: PlanningRunView): PlanningRunView["next"] => next,
  reports: ["run-waiting", "run-halted", "interrupted", "prose"],
  problems: (details: PlanningRunView, style: Style): string => runText(details, style),
};

/** At a terminal you decide on a plan that is ready at once, if you want to. */
export async function decideOnPlan(run: PlanningRunView, asked: After, hasRead?: string): Promise<Result<unknown>> {
  const { terminal, app } = asked;
  if (run.status !== "ready" || !isPersonHere(terminal)) return ok(undefined);
  const { askApproval, askAfterPreview } = await import("../terminal/ask.js");
  const isProvable = run.checked === null || run.checked.withCheck > 0;
  const { choice, note } = await askApproval(run.id, hasRead !== undefined, isProvable);
  if (choice === "later") return ok(undefined);
  if (choice === "abort") return printAnswer(asked, await app.call("plan.abort", { run: run.id }), abortedText);
  if (choice === "read") {
    const preview = (await app.call("approve", { references: [run.id], preview: true })) as Result<ApprovalPreview>;
    if (!preview.ok) return preview;
    terminal.progress(`${previewText(preview.value, errorStyle(terminal.style))}\n`);
    return decideOnPlan(run, asked, preview.value.hash);
  }
  if (choice === "approve") {
    const seen = hasRead === undefined ? {} : { seen: hasRead };
    const confirm: Door["confirm"] = (question, preview) => askAfterPreview(question, preview, terminal);
    const approved = await app.ask("approve", { references: [run.id], ...seen }, { confirm });
    return printAnswer(asked, approved as Result<AppliedRun>, appliedText);
  }
  const live = planProgress(terminal);
  const door = { onEvent: live.onEvent, signal: () => terminal.interrupted() };
  const revised = (await app.ask("plan.revise", { run: run.id, note }, door)) as Result<PlanningRunView>;
  live.close();
  if (!revised.ok) return revised;
  terminal.print(`${runText(revised.value, terminal.style)}\n`);
  return decideOnPlan(revised.value, asked);
}

function printAnswer<T>({ terminal }: After, answer: Result<T>, textOf: (output: T, style: Style) => string) {
  if (answer.ok) terminal.print(`${textOf(answer.value, terminal.style)}\n`);
  return answer;
}

export const abortedText = ({ id }: PlanningRunView, style: Style): string =>
  style.dim(`${id} was aborted. Nothing was added to the plan.`);

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;
/** No line shows more of what an agent says. */
const MAX_CHARACTERS_READ = 300;

class Spinner {
  readonly #terminal: Terminal;
  #timer: NodeJS.Timeout | undefined;
  #asked = { what: "", since: 0, last: "", tokens: 0 };
  #frame = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  start(what: string): void {
    this.#asked = { what, since: performance.now(), last: "", tokens: 0 };
    if (!this.#terminal.interactive) return;
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS);
    this.#timer.unref();
  }

  note(event: AgentEvent): void {
    if (event.type === "usage") this.#asked.tokens = event.usage.inputTokens + event.usage.outputTokens;
    else if (event.type === "tool") this.#asked.last = `${event.name} ${event.detail}`;
    else if (event.type === "text" || event.type === "notice") this.#asked.last = event.text;
  }

  #draw(): void {
    const { style } = this.#terminal;
    const { what, since, last: words, tokens: count } = this.#asked;
    const frame = FRAMES[this.#frame++ % FRAMES.length] as string;
    const elapsed = elapsedSince(since);
    const tokens = count > 0 ? ` · ${count} tokens` : "";
    const columns = Math.max(0, style.columns - what.length - elapsed.length - tokens.length - 12);
    const last = columns === 0 ? "" : inLine(words.slice(-MAX_CHARACTERS_READ)).slice(-columns);
    this.#terminal.progress(`\r\u001b[2K${style.cyan(frame)} ${what} · ${elapsed}${tokens} ${style.dim(last)}`);
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#terminal.progress("\r\u001b[2K");
  }
}

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
  const which = [part.of > 1 && `part ${part.number} of ${part.of}`, repair > 0 && `repair ${repair}`];
  return [role, stage, agent, model, ...which].filter(Boolean).join(" · ");
}

export const RUN_OPTIONS = {
  serve: optional(choice(["host"], "let the agent that asks serve every role itself, step by step")),
  agent: optional(filled("let this agent serve every role; outline needs no model", "NAME")),
  model: optional(filled("the model, instead of the configured one", "MODEL")),
  effort: optional(
    choice(["low", "medium", "high", "fast", "hard"], "how hard the agents think; fast is low, hard is high"),
  ),
  clean: optional(flag("without lessons from earlier work")),
  level: optional(choice(LINT_LEVELS, "how strict the lint is (normal)")),
  timeoutMinutes: optional(number("how long one role call may take (30)", 0.001, 100_000)),
  maxCost: optional(number("ask no more roles once the run has cost this", 0, 1_000_000, "USD")),
  maxTokens: optional(wholeNumber("ask no more roles once the run has used this many tokens", 1, 1e12)),
  defaults: optional(flag("take the default of every question instead of asking")),
};

export const oneServer = rule<{ readonly serve?: unknown; readonly agent?: unknown }>(
  "serve",
  "cannot be used with agent",
  ({ serve, agent }) => serve === undefined || agent === undefined,
);

export const planningHooks = (session: Session): Hooks => ({
  signal: session.signal,
  onProgress: (progress) => session.emit({ kind: "planning", progress }),
  ...(session.ask && { ask: session.ask }),
});
