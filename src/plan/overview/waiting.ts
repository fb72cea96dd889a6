// Lists everything that waits for you: questions, rejected and unproven work, manual steps, landings, plans, approvals, and a
// daemon that died. Each entry comes with what to do about it.

import { isRecord } from "../../base/json.js";
import { isPerson } from "../../model/actor.js";
import { failureDetails } from "../../model/attempt/failure-view.js";
import type { Item } from "../../model/item/item.js";
import { isDriven } from "../../model/item/planning-run.js";
import { answerStep } from "../../model/item/question.js";
import { step } from "../../model/next-step.js";
import type { Acceptance, Node } from "../../model/node/node.js";
import { type Failure, ok, type ValueOf } from "../../model/result.js";
import { HOLD_WORDS, type LandingHold, stepsToFree } from "../../model/status/landing.js";
import { deriveStatus } from "../../model/status/status.js";
import { byImportance, type WaitingEntry, waitingSentence, withoutTwins } from "../../model/status/waiting.js";
import { whyPending } from "../../model/status/why.js";
import type { Reader } from "../../store/store.js";
import { type Suggest, suggestionsIn } from "../answer/list-questions.js";
import { interruptedWork } from "../attempt/interrupted-work.js";
import type { Context } from "../base/context.js";
import { isoTime } from "../node/view.js";
import type { LostLanding } from "../repository/lost-landings.js";
import { entry, staleApprovals, unapproved } from "./approval-entries.js";
import { heldUpIn } from "./held-up.js";

export type WaitingList = ValueOf<ReturnType<typeof waiting>>;

export type WaitingView = WaitingList["entries"][number];

export interface WaitingInput {
  readonly limit?: number;
  /**
   * For a few entries beside something else. Without what triage suggests: finding that out asks git. Of unapproved work only itself is
   * counted, not what waits behind it.
   */
  readonly plain?: boolean;
}

/** More than fits on a screen: the rest shows when these are settled. */
const ENTRIES_READ = 1_000;
const ENTRIES_LISTED = 50;
/** Entries that are weighed against each other for each one that is shown: in a large plan not all can be. */
const WEIGHED_FOR_EACH = 4;

export async function waiting(context: Context, { limit = ENTRIES_LISTED, plain = false }: WaitingInput = {}) {
  const daemon = await context.deadDaemon();
  const weighed = limit * WEIGHED_FOR_EACH;
  const found = await context.store.read((reader) => entriesOf(reader, context, plain, weighed));
  const obstacle = await obstacleToReady(context);
  const around = [...(daemon === null ? [] : [ofDaemon(daemon)]), ...(obstacle === null ? [] : [ofObstacle(obstacle)])];
  const entries = [...found, ...around].sort(byImportance);
  return ok({
    /** What holds up most work comes first. */
    entries: entries
      .slice(0, limit)
      .map((each) => ({ ...each, since: each.since === null ? null : isoTime(each.since) })),
    total: entries.length,
    /** One sentence: how much waits, by kind. */
    summary: waitingSentence(entries, context.actor),
  });
}

/** `weighed`: so many entries say all that they hold up, and so many parts that are not approved. */
async function entriesOf(reader: Reader, context: Context, plain: boolean, weighed: number) {
  const suggest = plain ? null : suggestionsIn(context);
  const questions = await reader.items("question", { state: "open" });
  const nodes = await reader.forPerson(ENTRIES_READ);
  const settled: WaitingEntry[] = [];
  for (const node of nodes) settled.push(...(await ofNode(reader, node, context)));
  const runs = (await Promise.all(WAITING_RUNS.map((state) => reader.items("run", { state })))).flat();
  const asking: WaitingEntry[] = [];
  for (const question of questions) asking.push(await ofQuestion(reader, question, suggest));
  const asked = questions.map(({ fields }) => fields);
  for (const run of runs) settled.push(...(await ofRun(run, context)));
  for (const { item, task } of await interruptedWork(reader, context)) settled.push(ofInterrupted(item, task));
  const entries = withoutTwins(settled, asked);
  // Records of a planning run are approved with its plan.
  const records = (await reader.items("record", { state: "proposed" })).filter(({ fields }) => fields.run === null);
  const lessons = await reader.items("lesson", { state: "proposed" });
  const lost = context.head() === null ? [] : await lostLandings(reader, context);
  const all = [
    ...asking,
    ...entries,
    ...(await staleApprovals(reader, nodes)),
    ...records.map(ofRecord),
    ...lessons.map(ofLesson),
    ...lost.map(ofLost),
  ];
  const parts = await unapproved(reader);
  const blocked = new Map(questions.map(({ key, fields }) => [key, fields.blocks]));
  all.sort(byImportance);
  // Unapproved parts come with the hours of their own tasks.
  parts.sort(byImportance);
  const first = [...all.slice(0, weighed), ...(plain ? [] : parts.slice(0, weighed))];
  return [
    ...(await withHeldUp(reader, first, blocked)),
    ...all.slice(weighed),
    ...(plain ? parts : parts.slice(weighed)),
  ];
}

/** A question holds up what it blocks, everything else itself and what is in it. */
async function withHeldUp(
  reader: Reader,
  entries: readonly WaitingEntry[],
  blocked: ReadonlyMap<string, readonly string[]>,
): Promise<WaitingEntry[]> {
  const heldUp = heldUpIn(reader);
  const found: WaitingEntry[] = [];
  for (const each of entries) {
    const ids = each.id === null ? [] : (blocked.get(each.id) ?? [each.id]);
    const { tasks: _, ...holdsUp } = await heldUp(await reader.byIds(ids));
    found.push({ ...each, holdsUp });
  }
  return found;
}

const ofDaemon = ({ pid, startedAt }: { pid: number; startedAt: string }): WaitingEntry =>
  entry("daemon", null, `The daemon died: process ${pid}, started at ${startedAt}, no longer runs.`, {
    since: null,
    headline: "The daemon died, so nothing new begins",
    detail: `process ${pid} no longer runs`,
    next: [step("daemon.logs"), step("daemon.start")],
  });

/** Only where something could begin otherwise. */
async function obstacleToReady(context: Context): Promise<Failure | null> {
  const [ready] = await context.store.read((reader) => reader.claimable({ limit: 1 }));
  return ready === undefined ? null : context.cannotRun();
}

const ofObstacle = ({ message, next = [] }: Failure): WaitingEntry =>
  entry("obstacle", null, `No worker can begin anything. ${message}`, {
    since: null,
    headline: "No worker can begin anything",
    detail: message,
    next,
  });

const ofRecord = ({ key, fields: { kind, title, createdBy, createdAt } }: Item<"record">): WaitingEntry =>
  entry("proposal", key, `${createdBy} proposes a ${kind}: ${title}`, {
    since: createdAt,
    headline: `Approve the ${kind}: ${title}`,
    detail: `proposed by ${createdBy}`,
    next: [step("record.approve", { ids: [key] }), step("show", { reference: key })],
  });

const ofLesson = ({ key, fields: { text, createdBy, createdAt } }: Item<"lesson">): WaitingEntry =>
  entry("proposal", key, `${createdBy} proposes a lesson: ${text}`, {
    since: createdAt,
    headline: `Approve the lesson: ${text}`,
    detail: `written by ${createdBy}`,
    next: [step("lesson.approve", { ids: [key] }), step("lesson.list")],
  });

async function ofQuestion(reader: Reader, item: Item<"question">, suggest: Suggest | null): Promise<WaitingEntry> {
  const { key, fields } = item;
  const suggestion = suggest === null ? null : await suggest(reader, item);
  const about = fields.blocks[0] ?? fields.owner;
  const [node] = await reader.byIds([about]);
  return entry("question", key, fields.question, {
    about,
    since: fields.createdAt,
    headline: node ? fields.question.replace(` "${node.title}"`, "") : fields.question,
    detail: node?.title ?? null,
    suggestion: suggestion?.sentence ?? null,
    failed: node && fields.kind === "rejected" ? failedOf(node) : [],
    next: [suggestion?.next ?? answerStep(key, fields.recommended), step("show", { reference: key })],
  });
}

async function ofNode(reader: Reader, node: Node, context: Context): Promise<WaitingEntry[]> {
  const { id, title, kind, acceptance, freeze } = node;
  const around = await reader.surroundings(node);
  const { reason } = deriveStatus(node, around);
  if (reason === "rejected") {
    const { at, reason: why } = acceptance as Acceptance;
    const sentence = `${id} "${title}" was rejected${why === null ? "" : `: ${why}`}.`;
    const next = whyAnd(id, step("reset", { references: [id] }));
    const words = { headline: `${title} was rejected`, detail: why, failed: failedOf(node) };
    return [entry("rejected", id, sentence, { since: at, ...words, next })];
  }
  if (freeze !== null && reason === "frozen") {
    if (isPerson(freeze.by)) return [];
    const next = whyAnd(id, step("thaw", { references: [id] }));
    const words = { since: freeze.at, headline: `${title} was frozen by ${freeze.by}`, detail: freeze.reason };
    return [entry("stopped", id, `${id} "${title}" is frozen: ${freeze.reason}.`, { ...words, next })];
  }
  if (reason === "budget") {
    const next = whyAnd(id, step("edit", { reference: id, attempts: node.attempts + 1 }));
    const headline = `${title} has no attempts left`;
    return [entry("stopped", id, `${id} "${title}" has no attempts left.`, { since: null, headline, next })];
  }
  if (reason === "deps-pending" && around.landing.length > 0) return heldLanding(reader, node, around.landing);
  if (reason !== "human") return [];
  if (acceptance?.state === "pending") {
    const sentence = `${acceptance.by} handed in ${id} "${title}": ${whyPending(acceptance)}.`;
    const next = whyAnd(id, step("accept", { references: [id] }, "reason"));
    const words = { headline: `Accept ${title}`, detail: whyPending(acceptance) };
    return [entry("acceptance", id, sentence, { since: acceptance.at, ...words, next })];
  }
  if (kind === "gate") {
    const next = [step("complete", { reference: id }), step("show", { reference: id })];
    const words = { since: null, headline: title, detail: "a manual step", next };
    return [entry("gate", id, `${id} "${title}" is a manual step for you.`, words)];
  }
  return [await ofLanding(reader, node, context)];
}

const failedOf = ({ report }: Node): string[] => failureDetails(report?.checks ?? []);

const ofInterrupted = ({ key, fields }: Item<"attempt">, { id, title }: Node): WaitingEntry =>
  entry("stopped", id, `The program that worked on ${id} "${title}" has ended (${key}).`, {
    since: fields.startedAt,
    headline: `Work on ${title} was interrupted`,
    detail: "its program has ended",
    next: whyAnd(id, step("run", { reference: id })),
  });

const whyAnd = (reference: string, ...others: WaitingEntry["next"]): WaitingEntry["next"] => [
  step("why", { reference }),
  ...others,
];

async function ofLanding(reader: Reader, { id, feature: nr }: Node, context: Context): Promise<WaitingEntry> {
  const feature = nr === null ? undefined : await reader.node(nr);
  const about = feature?.id ?? id;
  // Without a repository nothing is merged: landing is a plain step.
  const lands = context.head() === null ? step("complete", { reference: id }) : step("land", { reference: about });
  const next = [lands, step("status", { reference: about })];
  const deleted = feature && context.head() !== null ? await deletedBranch(context.root, feature.id) : null;
  const finished = `Everything in ${about}${feature ? ` "${feature.title}"` : ""} is finished: land it.`;
  const sentence = deleted === null ? finished : `${finished} ${deleted}`;
  const done = feature ? `${feature.tasksFinished} of ${feature.tasksLive} tasks done` : null;
  const headline = `${feature?.title ?? about} is ready to land`;
  return entry("landing", id, sentence, { about, since: null, headline, detail: deleted ?? done, next });
}

/** The land task of a feature whose tasks are all finished: what else holds it. Planning runs are listed by themselves. */
async function heldLanding(reader: Reader, { id, feature }: Node, holds: readonly LandingHold[]) {
  const about = (feature === null ? undefined : await reader.idOf(feature)) ?? id;
  const entries: WaitingEntry[] = [];
  for (const hold of holds.filter(({ kind }) => kind !== "run")) {
    if (hold.kind === "empty" && hold.id === about) {
      entries.push(await ofEmptyFeature(reader, hold));
      continue;
    }
    const title = (await reader.byId(hold.id))?.title ?? hold.id;
    const next = [step("why", { reference: hold.id }), ...stepsToFree(hold)];
    const sentence = `${about} cannot land: ${HOLD_WORDS[hold.kind](hold.id)}`;
    const words = { since: null, about, headline: `${title} keeps ${about} from landing`, next };
    entries.push(entry("unplanned", hold.id, sentence, { ...words, detail: HOLD_WORDS[hold.kind](hold.id) }));
  }
  return entries;
}

/** You approved it, and nothing in it can ever begin. */
async function ofEmptyFeature(reader: Reader, hold: LandingHold): Promise<WaitingEntry> {
  const { id } = hold;
  const title = (await reader.byId(id))?.title ?? id;
  const sentence = `${id} "${title}" is approved and has no tasks: plan it, or add one.`;
  const words = { since: null, headline: `${title} has no tasks`, detail: "approved", next: stepsToFree(hold) };
  return entry("unplanned", id, sentence, words);
}

/** Accepted attempts that are looked through for landings. */
const LATEST_ATTEMPTS = 200;

/** Git is loaded only where something has landed. */
async function lostLandings(reader: Reader, context: Context): Promise<LostLanding[]> {
  const [latest] = await reader.items("attempt", { state: "accepted", newest: true, limit: 1 });
  if (latest === undefined) return [];
  return (await import("../repository/lost-landings.js")).lostLandings(reader, context, LATEST_ATTEMPTS);
}

const ofLost = ({ feature, land, sentence, next }: LostLanding): WaitingEntry =>
  entry("lost", land.id, sentence, {
    about: feature,
    since: null,
    headline: `What ${feature} landed is not on the main branch any more`,
    next,
  });

/** Git is loaded only where something waits to land. */
const deletedBranch = async (root: string, feature: string): Promise<string | null> =>
  (await import("../repository/main-branch.js")).deletedBranchWords(root, feature);

const WAITING_RUNS = ["waiting", "ready", "halted", "running"] as const;

async function ofRun({ key, fields }: Item<"run">, context: Context): Promise<WaitingEntry[]> {
  const { status, title, driver, intake, createdAt: since } = fields;
  if (status === "ready") {
    const next = [step("plan.diff", { run: key }), step("approve", { references: [key] })];
    const words = { since, headline: `Approve the plan: ${title}`, next };
    return [entry("plan", key, `${key} has a plan for "${title}": approve it or change it.`, words)];
  }
  const isAlive = driver !== null && (await context.isAlive(driver.by));
  if (status === "running" && isDriven(fields, context.now(), () => isAlive)) return [];
  // Between two steps nobody drives it: the coding agent that serves its roles works on the next answer.
  if (status === "running" && isRecord(intake) && intake["agent"] === "host") {
    const headline = `Your coding agent plans: ${title}`;
    const next = [step("plan.step", { run: key }), step("plan.show", { run: key })];
    return [entry("plan", key, `${key} plans "${title}" and waits for the coding agent.`, { since, headline, next })];
  }
  const sentence = `${key} planned "${title}" and stopped: resume it.`;
  const headline = `Planning stopped: ${title}`;
  const next = [step("plan.resume", { run: key }), step("plan.show", { run: key })];
  return [entry("plan", key, sentence, { since, headline, next })];
}
