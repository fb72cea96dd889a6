// Operations that carry the plan out: run it, and land what is finished.

import { type Landing, landFeature } from "../../../engine/landing/land.js";
import { landFinished, type NotLanded } from "../../../engine/landing/land-ready.js";
import { previewRun, type RunPreview } from "../../../engine/tick/preview-run.js";
import { type EndedAttempt, type RunSummary, runTasks } from "../../../engine/tick/run-session.js";
import type { EngineServices } from "../../../engine/tick/services.js";
import { LAND_STRATEGIES } from "../../../machine/git/git-settings.js";
import { isPerson } from "../../../model/actor.js";
import { type NextStep, step } from "../../../model/next-step.js";
import { absent, interrupted, ok, problems, type Result, refused } from "../../../model/result.js";
import { whyNoneBegins } from "../../../model/status/hold-phrase.js";
import { requireTrust } from "../../consent/require-trust.js";
import type { Execution } from "../../execution.js";
import { operation } from "../../operation.js";
import { noticeSandbox } from "../../safety/sandbox-here.js";
import { choice, filled, flag, input, node, optional, refine, text, wholeNumber } from "../../schema.js";
import type { Session } from "../../session.js";
import { withWaiting } from "../../waiting-hint.js";

export const executionOf = async (session: Session): Promise<Result<Execution>> =>
  (await session.engines()).execution();

/** The same, unless the settings need your trust first: nothing runs with settings that only the file wants. */
export async function trustedExecutionOf(session: Session): Promise<Result<Execution>> {
  const execution = await executionOf(session);
  const trusted = execution.ok ? requireTrust(session) : execution;
  return trusted.ok ? execution : trusted;
}

/** The engine's services, with events for the caller. */
export const watched = (session: Session, { services }: Execution): EngineServices => ({
  ...services,
  onEvent: (event) => session.emit({ kind: "engine", event }),
});

/** The same, acting as the caller instead of as a daemon. */
export const asAsker = (session: Session, execution: Execution): EngineServices => ({
  ...watched(session, execution),
  context: session,
});

export const parallel = optional(wholeNumber("how many workers at once", 1, 16));

const run = operation({
  name: "run",
  summary: "Let workers do approved tasks, and check their work",
  description:
    "Each task is claimed, done by the agent or command that serves its profile, checked, and merged into its feature's branch, where it is checked again. Nothing reaches the main branch until you land the feature. Without batch, parallel or land it does one task and asks whether to continue. With land it also lands each feature that is finished, and goes on until nothing is left: it asks you once, at the beginning. An agent that runs the plan gets no further than the level allows. Ctrl-C gives unfinished tasks back and keeps their work.",
  who: "both",
  effect: "runs",
  input: () =>
    refine(
      refine(
        input({
          reference: optional(node("only this task", "TASK")),
          within: optional(node("only tasks below this node")),
          batch: optional(flag("continue until nothing is ready, without asking")),
          parallel,
          land: optional(flag("also land each feature that is finished, until nothing is left")),
          yes: optional(flag("do not ask whether to land")),
          dryRun: optional(flag("list who would do what, and start nothing")),
        }),
        ({ land, reference, dryRun }) => land !== true || (reference === undefined && dryRun !== true),
        "works a plan to its end: name a feature to work in instead of a task, and leave the dry run out",
        "land",
      ),
      ({ yes, land }) => yes !== true || land === true,
      "only confirms landing: add the flag land, or leave yes out",
      "yes",
    ),
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
    await noticeSandbox(session);
    const unlanded = new Map<string, NotLanded>();
    const landAll = () => landFinished(asAsker(session, execution.value), within, unlanded, session.signal);
    const worked = await contain(() =>
      runTasks(services, {
        ...(reference !== undefined && { task: reference }),
        ...(within !== undefined && { within }),
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
});

export interface RunOutcome extends RunSummary {
  /** Features of accepted tasks in which everything is finished now. */
  readonly landable: readonly string[];
  /** Features that this run tried to land in vain, and why. */
  readonly unlanded: readonly NotLanded[];
  /** What a dry run would start; null if it was no dry run. */
  readonly preview: RunPreview | null;
}

const NOTHING_RUN = { ended: [], landed: [], landable: [], unlanded: [], stopped: false } as const;

async function preview(
  services: Execution["services"],
  { reference, within }: { readonly reference?: string | undefined; readonly within?: string | undefined },
  obeysLevels: boolean,
): Promise<Result<RunOutcome>> {
  const byPerson = reference === undefined ? "run" : "named-run";
  const found = await previewRun(services, {
    ...(reference !== undefined && { task: reference }),
    ...(within !== undefined && { within }),
    asker: obeysLevels ? "daemon" : byPerson,
  });
  if (!found.ok) return found;
  const { held, planned } = found.value;
  const outcome = { ...NOTHING_RUN, held, preview: found.value };
  return planned.length === 0 ? nothingStarted(outcome) : ok(outcome);
}

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

const FINE: ReadonlySet<string> = new Set(["accepted", "pending"]);

/** How the last attempt of each task ended: an earlier one may have been retried. */
const lastOf = (ended: readonly EndedAttempt[]): EndedAttempt[] => [
  ...new Map(ended.map((each) => [each.task, each])).values(),
];

/** Landing is allowed once, for the whole run. An agent gets no such answer: it asks for level auto instead. */
async function allowLanding(
  session: Session,
  {
    within,
    parallel: workers,
    yes,
  }: {
    readonly within?: string | undefined;
    readonly parallel?: number | undefined;
    readonly yes?: boolean | undefined;
  },
): Promise<Result<void>> {
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

/** Causes that are named, at most as many as a person reads. */
const SHOWN = 5;

/** Nothing was claimed. If no worker can do any of it, that is what to change. */
function nothingStarted({ held, ...rest }: RunOutcome): Result<RunOutcome> {
  const details = { held, ...rest };
  const why = whyNoneBegins(held).slice(0, SHOWN).join(" ");
  const [first] = held;
  if (first && held.every(({ reason }) => reason === "no-worker")) {
    return absent("no-worker", `${why} Install an agent, or set roles.worker. Nothing was claimed.`, {
      details,
      next: [step("agents.list"), step("next")],
    });
  }
  return absent("nothing-ready", ["No task is ready to run.", why].join(" ").trimEnd(), {
    details,
    next: first ? [step("why", { reference: first.task }), step("status")] : [step("status")],
  });
}

function judgeRun(worked: RunOutcome): Result<RunOutcome> {
  const details = { ...worked };
  const last = lastOf(worked.ended);
  if (worked.stopped) {
    const message = "Stopped. What was being worked on was given back, and what was done is kept.";
    return interrupted("interrupted", message, { details, next: [step("run"), step("attempt.list")] });
  }
  const wrong = last.filter(({ state }) => !FINE.has(state)).map(({ task }) => task);
  if (wrong.length > 0) {
    const message = `${wrong.join(", ")} did not pass.`;
    return problems("problems", message, { details, next: [step("question.list"), step("attempt.list")] });
  }
  if (worked.unlanded.length > 0) {
    const message = worked.unlanded.map(({ feature, message: why }) => `${feature} did not land: ${why}`).join(" ");
    const next = worked.unlanded.map(({ feature }) => step("land", { reference: feature }));
    return problems("problems", message, { details, next: [...next, step("question.list")] });
  }
  if (worked.ended.length + worked.landed.length === 0) return nothingStarted(worked);
  return ok(worked);
}

const land = operation({
  name: "land",
  summary: "Merge a finished feature into main once its checks pass",
  description:
    "All tasks of the feature must be done or waived. Its branch is merged with the main branch as it is now, in a temporary worktree. Every check of its tasks and every measured requirement runs on the result. Then the main branch moves, together with the folder where it is checked out. Its changes are held against the constraints in force and the footprints again. Uncommitted changes, a conflict or a failing check leave the main branch exactly as it was. If the feature was merged elsewhere, the main branch is searched for its work instead.",
  who: "both",
  effect: "runs",
  input: () =>
    refine(
      input({
        reference: node("the feature, or its land task", "FEATURE"),
        dryRun: optional(flag("show the proof and change nothing")),
        pr: optional(flag("push the branch for a review instead of merging; the land task stays open")),
        remote: optional(text("where to push for a review; otherwise where git would", "NAME")),
        strategy: optional(choice(LAND_STRATEGIES, "how it gets onto main; git.landStrategy unless given", "HOW")),
        message: optional(filled("the commit's message, with {id}, {title}, {tasks} and {branch}")),
        despite: optional(
          filled("land it although it contradicts a record or leaves a footprint; the reason is kept", "REASON"),
        ),
        yes: optional(flag("do not ask for confirmation")),
      }),
      ({ remote, pr }) => remote === undefined || pr === true,
      "is only used when the branch is pushed for a review",
      "remote",
    ),
  examples: [
    {
      input: { reference: "FEAT-001", dryRun: true },
      does: "merges and checks it in a temporary worktree, and shows the result",
    },
    { input: { reference: "FEAT-001" }, does: "asks, then lands it" },
    { input: { reference: "FEAT-001", pr: true, remote: "origin", yes: true }, does: "pushes its branch for a review" },
  ],
  run: async (session, asked): Promise<Result<Landing>> => {
    const execution = await executionOf(session);
    if (!execution.ok) return execution;
    const { reference, yes, ...options } = asked;
    const sure = yes || options.dryRun ? ok(undefined) : await confirmLanding(session, reference, options.pr ?? false);
    if (!sure.ok) return sure;
    const services = asAsker(session, execution.value);
    return execution.value.contain(() => landFeature(services, reference, { ...options, signal: session.signal }));
  },
});

const confirmLanding = (session: Session, reference: string, pr: boolean): Promise<Result<void>> =>
  sure(session, {
    question: `${reference}: ${pr ? "Push its branch for a review" : "Merge it into the main branch"}?`,
    unanswered: `Landing ${reference} needs confirmation.`,
    confirmed: step("land", { reference, ...(pr && { pr }), yes: true }),
    instead: step("land", { reference, dryRun: true }),
  });

interface Confirmation {
  readonly question: string;
  /** The refusal where there is no person to ask. */
  readonly unanswered: string;
  /** The same with your yes in it, and what to do without one. */
  readonly confirmed: NextStep;
  readonly instead: NextStep;
}

async function sure(
  session: Session,
  { question, unanswered, confirmed, instead }: Confirmation,
): Promise<Result<void>> {
  if (!session.confirm) return refused("needs-yes", unanswered, { next: [confirmed, instead] });
  if (await session.confirm(question)) return ok(undefined);
  return refused("declined", "Nothing was changed.", { next: [instead] });
}

export const executionOperations = { run, land };
