import { landFinished, type NotLanded } from "../../engine/landing/land-ready.js";
import type { EngineEvent } from "../../engine/services.js";
import { previewRun, type RunPreview, type RunSummary, runTasks } from "../../engine/tick/run-session.js";
import { isPerson } from "../../model/actor.js";
import { absent, interrupted, ok, problems, type Result, refused } from "../../model/result.js";
import { whyNoneBegins } from "../../model/status/hold-phrase.js";
import type { AppEvent, Execution, Session } from "../kit/session.js";
import { fields, flag, type Infer, node, optional, planVerb, rule, type Style, spoken, step } from "../kit/verb.js";
import type { LiveDisplay, Terminal } from "../kit/view.js";
import { withWaiting } from "../kit/waiting-hint.js";
import { elapsedSince, harmless, inLine, withinLine } from "../kit/wording.js";
import { allowRunning } from "../safety/sandbox-here.js";
import { saying } from "../services/saying.js";
import { failureText } from "../text/check-lines.js";
import { fitText, widthOf } from "../text/fit.js";
import { wholeOutput } from "../text/render-attempt.js";
import { asAsker, parallel, sure, trustedExecutionOf, unsandboxed } from "./engine-access.js";

export const input = fields({
  reference: optional(node("only this task", "TASK")),
  within: optional(node("only tasks below this node")),
  batch: optional(flag("continue until nothing is ready, without asking")),
  parallel,
  land: optional(flag("also land each feature that is finished, until nothing is left")),
  yes: optional(flag("do not ask whether to land")),
  dryRun: optional(flag("list who would do what, and start nothing")),
  unsandboxed,
}).check(
  rule(
    "land",
    "works a plan to its end: name a feature to work in instead of a task, and leave the dry run out",
    ({ land, reference, dryRun }) => land !== true || (reference === undefined && dryRun !== true),
  ),
  rule(
    "yes",
    "only confirms landing: add the flag land, or leave yes out",
    ({ yes, land }) => yes !== true || land === true,
  ),
);

export const verb = planVerb({
  command: { words: "run", group: "work", daily: 4, positional: ["reference"], flags: { within: "in" } },
  summary: "Let workers do approved tasks, and check their work",
  description:
    "Each task is claimed, done by the agent or command that serves its profile, checked, and merged into its feature's branch, where it is checked again. Nothing reaches the main branch until you land the feature. Without batch, parallel or land it does one task and asks whether to continue. With land it also lands each feature that is finished, and goes on until nothing is left: it asks you once, at the beginning. An agent that runs the plan gets no further than the level allows. On a machine without a sandbox it asks you once whether workers may have your rights. Ctrl-C gives unfinished tasks back and keeps their work.",
  effect: "runs",
  quiet: true,
  long: true,
  phrases: spoken(
    "run, execute, start the agents, start agents, let the agents work, let the agents run, run the plan, " +
      "kick off, start running, run it all, get to work, put the agents to work, launch the agents, let them work, " +
      "start all agents, start all the agents, launch all agents, agents to work, put everyone to work",
  ),
  emptyWords: "all ready that is are agents run running can set put the",
  hints: ["go"],
  tools: [{ tool: "run", fields: ["reference", "within", "batch", "parallel", "dryRun"] }],
  input,
  examples: [
    { input: {}, does: "does the next task, then asks whether to continue" },
    { input: { dryRun: true }, does: "lists who would do what" },
    { input: { reference: "TASK-00001" }, does: "does this task" },
    { input: { parallel: 4, within: "FEAT-001" }, does: "works through the feature with four workers" },
    { input: { land: true }, does: "asks, then works the whole plan to its end and lands it" },
  ],
  run: async (session, asked): Promise<Result<RunOutcome>> => {
    const execution = await trustedExecutionOf(session);
    if (!execution.ok) return execution;
    const { reference, within, batch = false, parallel: workers } = asked;
    const isOneByOne = !batch && workers === undefined && reference === undefined && !asked.land;
    const { services, contain } = execution.value;
    const obeysLevels = !isPerson(session.actor);
    if (asked.dryRun) return withWaiting(session, await preview(services, asked, obeysLevels));
    const allowed = asked.land ? await allowLanding(session, asked) : ok(undefined);
    if (!allowed.ok) return allowed;
    const running = await allowRunning(session, asked.unsandboxed, step("run", { ...asked, unsandboxed: true }));
    if (!running.ok) return running;
    const unlanded = new Map<string, NotLanded>();
    const landAll = () => landFinished(asAsker(session, execution.value), within, unlanded, session.signal);
    const worked = await contain(() =>
      runTasks(inNameOf(session, services), {
        ...tasksOf(asked),
        workers: workers ?? 1,
        obeysLevels,
        signal: session.signal,
        onEvent: (event) => session.emit({ kind: "engine", event }),
        ...(asked.land && { land: landAll }),
        ...(isOneByOne && { goOn: async () => (await session.confirm?.("Go on with the next task?")) ?? false }),
      }),
    );
    if (!worked.ok) return worked;
    const rest = { landable: await landable(session, worked.value), unlanded: [...unlanded.values()], preview: null };
    const outcome = { ...worked.value, ...rest };
    return withWaiting(session, judgeRun(outcome));
  },
  live: (terminal) => new RunProgress(terminal),
  text: (outcome, style) => (outcome.preview ? previewOf(outcome.preview, style) : summaryOf(outcome, style)),
  note: ({ held }) => heldLines(held),
  next: ({ ended, landable, preview }) =>
    preview
      ? [step("run")]
      : [
          ...ended
            .filter(({ state }) => state === "pending")
            .map(({ task }) => step("accept", { references: [task] }, "reason")),
          ...(landable.length === 0 ? [step("status")] : landable.map((reference) => step("land", { reference }))),
        ],
  problems: (summary: RunSummary, style) => [summaryOf(summary, style), ...heldLines(summary.held)],
});

interface RunOutcome extends RunSummary {
  /** Features of accepted tasks in which everything is finished now. */
  readonly landable: readonly string[];
  /** Features that this run tried to land in vain, and why. */
  readonly unlanded: readonly NotLanded[];
  /** What a dry run would start; null if it was no dry run. */
  readonly preview: RunPreview | null;
}

type RunInput = Infer<typeof input>;

const tasksOf = ({ reference, within }: RunInput) => ({
  ...(reference !== undefined && { task: reference }),
  ...(within !== undefined && { within }),
});

const NOTHING_RUN = { ended: [], landed: [], landable: [], unlanded: [], stopped: false } as const;

const landable = ({ store }: Session, { ended }: RunSummary): Promise<string[]> =>
  store.read(async (reader) => {
    const features = new Set<string>();
    for (const { task } of ended.filter(({ state }) => state === "accepted")) {
      const nr = (await reader.byId(task))?.feature ?? null;
      const feature = nr === null ? undefined : await reader.node(nr);
      if (feature && (await reader.landing(feature)).length === 0) features.add(feature.id);
    }
    return [...features];
  });

/** The engine never approves anything, so it acts as itself also for you. The log says for whom. */
const inNameOf = ({ actor }: Session, services: Execution["services"]): Execution["services"] =>
  isPerson(actor)
    ? { ...services, context: { ...services.context, store: saying(services.context.store, `for ${actor}`) } }
    : services;

const FINE: ReadonlySet<string> = new Set(["accepted", "pending"]);

const heldLines = (held: RunSummary["held"]): string[] => whyNoneBegins(held).slice(0, 5);

async function preview(services: Execution["services"], asked: RunInput, obeysLevels: boolean) {
  const byPerson = asked.reference === undefined ? "run" : "named-run";
  const found = await previewRun(services, { ...tasksOf(asked), asker: obeysLevels ? "daemon" : byPerson });
  if (!found.ok) return found;
  const { held, planned } = found.value;
  const outcome = { ...NOTHING_RUN, held, preview: found.value };
  return planned.length === 0 ? nothingStarted(outcome) : ok(outcome);
}

/** Landing is allowed once, for the whole run. An agent gets no such answer: it asks for level auto instead. */
async function allowLanding(session: Session, { within, parallel: workers, yes }: RunInput): Promise<Result<void>> {
  if (!isPerson(session.actor)) {
    const message = `${session.actor} may not land: only you may allow a run to land what it finished.`;
    return refused("needs-person", message, { next: [step("run", { batch: true }), step("level.show")] });
  }
  if (yes) return ok(undefined);
  return sure(session, {
    question: `Land each feature${within === undefined ? "" : ` of ${within}`} on the main branch as soon as it is finished and its checks pass?`,
    unanswered: "A run that lands needs confirmation.",
    confirmed: step("run", {
      ...(within !== undefined && { within }),
      ...(workers !== undefined && { parallel: workers }),
      land: true,
      yes: true,
    }),
    instead: step("run", { batch: true }),
  });
}

/** Nothing was claimed. If no worker can do any of it, that is what to change. */
function nothingStarted({ held, ...rest }: RunOutcome): Result<RunOutcome> {
  const details = { held, ...rest };
  const why = heldLines(held).join(" ");
  const [first] = held;
  if (first && held.every(({ reason }) => reason === "no-worker")) {
    const message = `${why} Install an agent, or set roles.worker. Nothing was claimed.`;
    return absent("no-worker", message, { details, next: [step("agents.list"), step("next")] });
  }
  return absent("nothing-ready", ["No task is ready to run.", why].join(" ").trimEnd(), {
    details,
    next: first ? [step("why", { reference: first.task }), step("status")] : [step("status")],
  });
}

function judgeRun(worked: RunOutcome): Result<RunOutcome> {
  const details = { ...worked };
  // How the last attempt of each task ended: an earlier one may have been retried.
  const last = [...new Map(worked.ended.map((each) => [each.task, each])).values()];
  if (worked.stopped) {
    const message = "Stopped. What was being worked on was given back, and what was done is kept.";
    return interrupted("interrupted", message, { details, next: [step("run"), step("attempt.list")] });
  }
  const wrong = last.filter(({ state }) => !FINE.has(state)).map(({ task }) => task);
  if (wrong.length > 0) {
    const message = `${wrong.join(", ")} did not pass.`;
    const red = last.filter(({ state, failed = [] }) => !FINE.has(state) && failed.length > 0);
    const next = [
      step("question.list"),
      step("attempt.list"),
      ...red.slice(0, 3).map((each) => wholeOutput(each.attempt)),
    ];
    return problems("problems", message, { details, next });
  }
  if (worked.unlanded.length > 0) {
    const message = worked.unlanded.map(({ feature, message: why }) => `${feature} did not land: ${why}`).join(" ");
    const next = worked.unlanded.map(({ feature }) => step("land", { reference: feature }));
    return problems("problems", message, { details, next: [...next, step("question.list")] });
  }
  if (worked.ended.length + worked.landed.length === 0) return nothingStarted(worked);
  return ok(worked);
}

function previewOf({ planned, more }: RunPreview, style: Style): string {
  const lines = planned.map(({ task, title, worker: { name, model }, after }) => {
    const who = model === null ? name : `${name} (${model})`;
    const then = after.length === 0 ? "" : style.dim(`  after ${after.join(", ")}`);
    return `${style.bold(task)}  ${harmless(title)}  ${style.cyan(who)}${then}`;
  });
  return [...lines, ...(more ? [style.dim("There are more ready tasks.")] : [])].join("\n");
}

function summaryOf({ ended, landed }: Pick<RunSummary, "ended" | "landed">, style: Style): string {
  const count = (state: string): number => ended.filter((each) => each.state === state).length;
  const parts = [...new Set(ended.map(({ state }) => state))].map((state) => `${count(state)} ${state}`);
  const tried = `${style.bold(String(ended.length))} ${ended.length === 1 ? "attempt" : "attempts"}: ${parts.join(", ")}.`;
  return [ended.length > 0 && tried, landed.length > 0 && `Landed ${landed.join(", ")}.`].filter(Boolean).join(" ");
}

interface LiveAttempt {
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

class RunProgress implements LiveDisplay {
  readonly #terminal: Terminal;
  readonly #shown = new Map<string, LiveAttempt>();
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
      return this.#say(endLines(event, this.#terminal.style));
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

  #begin({ attempt, task }: { readonly attempt: string; readonly task: string }): LiveAttempt {
    const shown: LiveAttempt = { task, since: performance.now(), state: "", tokens: 0, last: "" };
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

function liveLine({ task, since, state, tokens, last }: LiveAttempt, style: Style): string {
  const elapsed = elapsedSince(since);
  const used = tokens > 0 ? ` · ${tokens} tokens` : "";
  // A line that the screen breaks in two would be erased by half.
  const head = fitText(`▶ ${task} ${state} · ${elapsed}${used}`, style.columns - 1);
  return `${style.cyan(head)} ${style.dim(fitText(last, style.columns - widthOf(head) - 2))}`;
}

function endLines({ task, attempt, state, note, failed = [] }: EndEvent, style: Style): string {
  const line = `${ICONS[state]?.(style) ?? "•"} ${task} ${style.dim(attempt)} ${state}${note === "" ? "" : `: ${inLine(note)}`}`;
  return [line, ...failureText(failed, style)].join("\n");
}

type EndEvent = Extract<EngineEvent, { type: "end" }>;
