// Classifies a failure and decides what follows, by tables: a retry within a budget, or a question to a person.

import { type AttemptFailure, type SplitDraft, touchedBy } from "../../model/attempt/attempt.js";
import { runsTaskCommands } from "../../model/attempt/choose-worker.js";
import {
  actionFor,
  classifyFailure,
  type Drift,
  deviationScore,
  type FailureSignals,
  fingerprint,
  type WorkerEnding,
} from "../../model/attempt/failure.js";
import { shortWrong } from "../../model/attempt/failure-view.js";
import { matchesGlob } from "../../model/conflict/glob.js";
import type { Item } from "../../model/item/item.js";
import type { CheckResult, Claim, FailureClass, Freeze, Node, NodeFields } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { giveUp, type Settling } from "../../model/rules/task-outcome.js";
import type { Context } from "../../plan/base/context.js";
import { askAboutRejected } from "../../plan/question/raise.js";
import { activeRecords } from "../../plan/record/save-record.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader, Writer } from "../../store/store.js";
import { attemptsOf, type LiveAttempt } from "../attempt/attempt-state.js";
import { constraintsBrokenBy } from "../judgement/attempt-checks.js";
import type { EngineServices, WorkEnding } from "../services.js";
import { outsideChangesOf } from "../watch/watch.js";

export interface FailureCause {
  readonly where: FailureSignals["where"];
  /** `broken`: git, the disk or the set-up; `conflict`: it does not merge. */
  readonly ending: WorkEnding | "broken" | "conflict";
  readonly output: string;
  /** Exit code of a crashed command; null if a signal ended it. */
  readonly exit?: number | null;
  readonly checks: readonly CheckResult[];
  readonly stated?: { readonly class: string; readonly reason: string };
  readonly split?: SplitDraft;
  /** It is not retried: its worker was told what is wrong as often as the settings allow. */
  readonly park?: boolean;
  /** The files of a conflict. */
  readonly files?: readonly string[];
}

export type FailureDecision = Awaited<ReturnType<typeof decideFailure>>;

const REASON_LENGTH = 300;

const endingOf = (ending: FailureCause["ending"]): WorkerEnding =>
  ending === "done" || ending === "gave-up" || ending === "split" || ending === "broken" || ending === "conflict"
    ? "finished"
    : ending;

/** Classes that a worker may give its own failure. Whether it was transient, the table decides. */
const STATED: ReadonlySet<string> = new Set<FailureClass>(["logic", "design", "plan", "architecture"]);

/** Nobody has to decide anything. */
export const triesAgain = ({ action }: Pick<AttemptFailure, "action">): boolean =>
  action === "retry" || action === "retry-with-failure" || action === "arbitrate";

/** Leaves the task to a person. If the decision has no freeze, an existing freeze stays. */
export function parkedTask(
  { failure, freeze }: Pick<FailureDecision, "failure" | "freeze">,
  claim: Claim,
  settling: Settling,
  checks: readonly CheckResult[] = [],
): Partial<NodeFields> {
  const patch = giveUp(claim, settling, { class: failure.class, reason: failure.reason }, checks);
  return freeze === null ? patch : { ...patch, freeze };
}

export async function decideFailure(services: EngineServices, live: LiveAttempt, cause: FailureCause) {
  const { context, policy } = services;
  const earlier = await context.store.read((reader) => attemptsSinceOpened(reader, live));
  const outside = await outsideChangesOf(live);
  const circumstances = {
    overlaps: await filesOfOtherTasks(services, live),
    contradicts: await recordsBrokenBy(services, live),
    deviation: deviationScore(await driftOf(context, live, earlier)),
  };
  const found = outside.length > 0 ? TAMPERED : classify(cause, earlier, circumstances);
  const counters = countersOf(earlier, live.task, await replansLeft(services, live.task));
  const logicRetries = runsTaskCommands(live.attempt.worker) ? 0 : policy.logicRetries;
  const asked = actionFor(found.class, counters, { ...policy, logicRetries });
  const isRetry = asked.kind === "retry" || asked.kind === "retry-with-failure";
  const action = cause.park === true && isRetry ? ({ kind: "park" } as const) : asked;
  const at = context.now();
  const said = firstWords(
    outside.length > 0 ? outside.join(" ") : (cause.stated?.reason ?? shortWrong(cause.output, cause.checks)),
  );
  const reason = said === "" ? found.because : said;
  const failure: AttemptFailure = {
    class: found.class,
    reason,
    fingerprint: fingerprint(cause.output, sha256),
    action: action.kind,
    notBefore: action.kind === "retry" ? at + action.afterMs : null,
  };
  const freeze: Freeze = { reason, by: context.actor, at, from: live.task.nr, commit: context.head() };
  return {
    failure,
    note: `${reason.replace(/(?<![.;,\s])[.;,\s]+$/, "")}; ${FOLLOWS[action.kind]}`,
    freeze: action.kind === "freeze" ? freeze : null,
    /** Raises a question, if a person has to decide. */
    ask: async (writer: Writer, node: Node, when: number): Promise<readonly Change[]> => {
      if (triesAgain(failure)) return [];
      const recommended = failure.action === "replan" ? "replan" : "reset";
      const about = { ...failure, attempt: live.key, recommended, checks: cause.checks } as const;
      return askAboutRejected(writer, node, about, { by: context.actor, at: when });
    },
  };
}

/** This is not retried: the next attempt would start with these changes in place, and no one would notice them. */
const TAMPERED = { class: "architecture", because: "it changed what is not its own" } as const;

const FOLLOWS: Readonly<Record<AttemptFailure["action"], string>> = {
  retry: "it is tried again after a while",
  "retry-with-failure": "it is tried once more, with this in the bundle",
  replan: "you are asked whether to plan it again",
  freeze: "it is frozen, and a person is asked",
  arbitrate: "it is tried again on top of what was in its way",
  park: "it waits for a person",
};

const firstWords = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, REASON_LENGTH);

function classify(
  cause: FailureCause,
  earlier: readonly Item<"attempt">[],
  circumstances: Pick<FailureSignals, "overlaps" | "contradicts" | "deviation">,
): { class: FailureClass; because: string } {
  if (cause.stated !== undefined && STATED.has(cause.stated.class)) {
    return { class: cause.stated.class as FailureClass, because: "its worker says so" };
  }
  return classifyFailure({
    where: cause.where,
    ending: endingOf(cause.ending),
    exit: cause.exit === undefined ? 0 : cause.exit,
    output: cause.output,
    fingerprint: fingerprint(cause.output, sha256),
    earlier: earlier.flatMap(({ fields }) => fields.failure?.fingerprint ?? []),
    ...circumstances,
    conflict: cause.ending === "conflict",
  });
}

/** Changed files that are in the footprint of another open task of the feature, and not in its own. */
async function filesOfOtherTasks({ context }: EngineServices, { task, attempt }: LiveAttempt): Promise<string[]> {
  const isOwn = (file: string): boolean => task.files.some((pattern) => matchesGlob(pattern, file));
  const outside = (attempt.changes === null ? [] : touchedBy(attempt.changes)).filter((file) => !isOwn(file));
  const { feature } = task;
  if (outside.length === 0 || feature === null || task.files.length === 0) return [];
  const others = await context.store.read((reader) => reader.descendants(feature));
  const open = others.filter(({ nr, outcome, tier }) => tier === "task" && outcome === null && nr !== task.nr);
  return outside.filter((file) => open.some(({ files }) => files.some((pattern) => matchesGlob(pattern, file))));
}

/** Failed attempts since the task last went to a person, oldest first: only these count against the budgets. */
async function attemptsSinceOpened(reader: Reader, { key, task }: LiveAttempt): Promise<Item<"attempt">[]> {
  const failed: Item<"attempt">[] = [];
  for (const item of await attemptsOf(reader, task.nr)) {
    if (item.key === key) continue;
    const action = item.fields.failure?.action;
    if (action === "park" || action === "replan" || action === "freeze") break;
    if (item.fields.failure !== null) failed.unshift(item);
  }
  return failed;
}

function countersOf(earlier: readonly Item<"attempt">[], { attempts, budgets }: Node, replans: number) {
  const count = (action: AttemptFailure["action"]): number =>
    earlier.filter(({ fields }) => fields.failure?.action === action).length;
  return {
    transientRetries: count("retry"),
    logicRetries: count("retry-with-failure"),
    arbitrations: count("arbitrate"),
    replansLeft: replans,
    attemptsLeft: budgets.attempts === undefined ? null : Math.max(0, budgets.attempts - attempts),
  };
}

async function replansLeft({ context }: EngineServices, task: Node): Promise<number> {
  if (task.parent === null) return 0;
  const parent = await context.store.read((reader) => reader.node(task.parent as number));
  if (parent?.tier !== "story" && parent?.tier !== "feature") return 0;
  return (parent.budgets.replans ?? context.settings.replans[parent.tier]) + parent.replansGranted - parent.replans;
}

const REVISES: ReadonlySet<string> = new Set(["edit", "link", "unlink", "move"]);
/** A task has fewer operations while it is worked on. */
const MAX_OPERATIONS = 200;
/** How many accepted attempts we read, and how many of them need an estimate for a result. */
const ACCEPTED_READ = 100;
const ESTIMATES_NEEDED = 3;

export const driftOf = (
  { store }: Context,
  { task, attempt }: LiveAttempt,
  earlier: readonly Item<"attempt">[],
): Promise<Drift> =>
  store.read(async (reader) => ({
    failedAttempts: earlier.length,
    revisions: await revisionsSince(reader, task.nr, earlier[0]?.fields.startedAt ?? attempt.startedAt),
    tokens: attempt.usage.inputTokens + attempt.usage.outputTokens,
    tokensPlanned: task.estimateHours === null ? null : await plannedTokens(reader, task.estimateHours),
  }));

async function revisionsSince(reader: Reader, node: number, since: number): Promise<number> {
  const operations = await reader.operations({ node, limit: MAX_OPERATIONS });
  return operations.filter(({ verb, at }) => at > since && REVISES.has(verb)).length;
}

/** Estimates tokens from the median per estimated hour; null if there is too little data. */
async function plannedTokens(reader: Reader, hours: number): Promise<number | null> {
  const rates: number[] = [];
  for (const { fields } of await reader.items("attempt", { state: "accepted", newest: true, limit: ACCEPTED_READ })) {
    const tokens = fields.usage.inputTokens + fields.usage.outputTokens;
    const estimate = (await reader.node(fields.task))?.estimateHours ?? null;
    if (tokens > 0 && estimate !== null) rates.push(tokens / estimate);
  }
  const middle = rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)];
  return rates.length < ESTIMATES_NEEDED || middle === undefined ? null : middle * hours;
}

async function recordsBrokenBy({ context }: EngineServices, { task, attempt }: LiveAttempt): Promise<string[]> {
  if (attempt.changes === null) return [];
  const records = await context.store.read((reader) => activeRecords(reader, task.feature));
  return [...new Set(constraintsBrokenBy(task, touchedBy(attempt.changes), records).map(({ record }) => record))];
}
