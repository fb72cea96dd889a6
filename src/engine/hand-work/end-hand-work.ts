// The ends of work by hand: handed in and judged like any attempt, or given back with what was done kept. What is handed in becomes a
// commit, which is judged in a worktree beside the folder: a person may type in the folder meanwhile, so nothing here writes into it.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/errors.js";
import { type ChangeCommit, changedSince, commitChangeSet } from "../../machine/git/change-set.js";
import { type Done, gitOutput } from "../../machine/git/git.js";
import { contains } from "../../machine/git/merge.js";
import { attemptBranch, keptRef, moveRefs, readRef, shortName } from "../../machine/git/refs.js";
import { findRepository, headCommit } from "../../machine/git/repository.js";
import { removeWorktree, settleOn } from "../../machine/git/worktree.js";
import { endOrphans } from "../../machine/process/orphans.js";
import { setupLog } from "../../machine/worktrees/carry.js";
import { isPerson } from "../../model/actor.js";
import { type Attempt, canHandIn, isByHand } from "../../model/attempt/attempt.js";
import { shortWrong } from "../../model/attempt/failure-view.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { absent, ok, type Result, refused } from "../../model/result.js";
import { isStale } from "../../model/status/stale-approval.js";
import type { Context } from "../../plan/base/context.js";
import { attemptMessage, runningFolder } from "../attempt/attempt-places.js";
import { ClaimLost, enterState, heartbeatOf, type LiveAttempt, untilLost } from "../attempt/attempt-state.js";
import { endGivenBack } from "../ending/end-attempt.js";
import { mergedBeside, settle, type Unsettled } from "../ending/settle.js";
import { cannotTake, judgeWithinLimits } from "../judgement/judge.js";
import { isOnBranch, recover } from "../recovery/reconcile.js";
import type { EngineServices } from "../services.js";
import {
  type AttemptFolder,
  findFolder,
  findWorktree,
  layOutCommit,
  mergedWith,
  packTask,
} from "../worktree/attempt-worktree.js";
import {
  type BeginInput,
  backToWork,
  beginByHand,
  claimIsGone,
  listByHand,
  noteHandIn,
  noteInTranscript,
  requireByHand,
  taskByHand,
} from "./begin-hand-work.js";

export interface EndInput {
  /** Without it, the one whose folder this is. */
  readonly reference?: string;
  readonly keep?: boolean;
}

export interface HandInResult extends LeftFolder, ReturnType<typeof handed> {
  /** `open`: something is wrong, and the person goes on. `pending`: a person has to accept it. */
  readonly state: "accepted" | "pending" | "released" | "open";
}

export async function finishByHand(
  services: EngineServices,
  input: EndInput,
  signal: AbortSignal,
): Promise<Result<HandInResult>> {
  const found = await requireHeld(services, input.reference);
  if (!found.ok) return found;
  const live = found.value;
  if (!canHandIn(live.attempt.state)) return neverReady(live);
  if (isStale(live.task)) {
    const message = `${live.task.id} was changed after it was approved, so its checks prove nothing. Your work stays where it is.`;
    return refused("approval-stale", message, { next: [step("approve", { references: [live.task.id] })] });
  }
  const stop = untilLost(live, signal);
  const beat = heartbeatOf(services, live);
  try {
    const folder = await standingOf(services, await findFolder(services, live));
    const change = await takeChange(live, folder);
    if (!change.ok) return change;
    const hand: HandIn = { services, live, folder };
    await takeOver(hand, change.value);
    const open = await judgeBeside(hand, change.value, stop);
    if (signal.aborted && open !== null) throw new Error("it was stopped.");
    if (open !== null) return ok(await reportProblems(hand, open));
    return ok(await conclude(services, live, commitOf(change.value, folder), input.keep ?? false));
  } catch (error) {
    if (!(error instanceof ClaimLost)) await backToWork(services, live, messageOf(error));
    return broken(live, error);
  } finally {
    beat.stop();
  }
}

const commitOf = (change: ChangeCommit, { base }: AttemptFolder): string => ("commit" in change ? change.commit : base);

interface HandIn {
  readonly services: EngineServices;
  readonly live: LiveAttempt;
  readonly folder: AttemptFolder;
}

/** Judges in a clean worktree of the change. The person's folder stays as it is, whatever the checks do. */
async function judgeBeside(hand: HandIn, change: ChangeCommit, signal: AbortSignal): Promise<Unsettled | null> {
  if ("problem" in change) return cannotTake(change);
  const { services, live, folder } = hand;
  const { feature, base } = folder;
  const tree = await layOutCommit(services, live, { feature, tip: base }, commitOf(change, folder), signal);
  try {
    const trial = { services, live, tree, signal };
    const open = await settle(trial, await judgeWithinLimits(trial, change));
    if (open === null) await tree.dispose();
    return open;
  } finally {
    tree.release();
  }
}

/** A judgement that was killed starts again; one that is running goes no further. */
async function takeOver({ services, live, folder: { base } }: HandIn, change: ChangeCommit): Promise<void> {
  await endOrphans(runningFolder(services));
  const { key: bundle } = await packTask(services, live.task);
  const handIns = (live.attempt.handIns ?? 0) + 1;
  const patch = { base, bundle, driver: services.process, handIns };
  await enterState(services, live, { to: "working", patch });
  noteHandIn(services, live, change);
}

/** If you merged what others did, your change set begins there. What the task itself merges in, such as main, stays merged. */
async function standingOf({ context: { root } }: EngineServices, folder: AttemptFolder): Promise<AttemptFolder> {
  const { worktree, feature, base } = folder;
  const tip = await readRef(root, feature);
  if (tip === null || (await contains(root, base, tip)) || !(await contains(worktree, "HEAD", tip))) return folder;
  const [beside] = await mergedBeside({ root, base }, tip);
  return { ...folder, base: beside === undefined ? tip : await mergedWith(root, tip, beside) };
}

/** What is in the folder now, as a commit. What is typed from here on is not part of it. */
async function takeChange(live: LiveAttempt, folder: AttemptFolder): Promise<Result<ChangeCommit>> {
  const { worktree, base } = folder;
  if (existsSync(join(findRepository(worktree)?.gitDir ?? worktree, "MERGE_HEAD"))) {
    const message = `A merge is not finished in ${worktree}. Resolve it, commit it there, and hand it in again.`;
    return refused("merging", message, { next: [step("work.done", { reference: live.task.id })] });
  }
  const change = await commitChangeSet(worktree, base, attemptMessage(live));
  return "nothing" in change && live.task.kind === "work" ? nothingChanged(live, folder) : ok(change);
}

const nothingChanged = ({ task }: LiveAttempt, { worktree }: AttemptFolder): Result<never> =>
  refused("nothing-changed", `Nothing was changed in ${worktree}, so there is nothing to hand in for ${task.id}.`, {
    next: [step("work.abandon", { reference: task.id })],
  });

/** The claim still stands; otherwise it is rolled back, and what was done is kept. */
async function requireHeld(services: EngineServices, reference: string | undefined): Promise<Result<LiveAttempt>> {
  const task = await taskByHand(services, reference);
  if (!task.ok) return task;
  const live = await requireByHand(services, task.value);
  if (!live.ok) return live;
  const { key, task: node } = live.value;
  if (!(await claimIsGone(services, live.value)) && (await ensureOwnBranch(services, live.value))) return live;
  await recover(services, key);
  return lost(key, node);
}

/** A program that was killed after it kept the work, and before it wrote down how the attempt ended, has removed the branch. */
async function ensureOwnBranch(services: EngineServices, { key, attempt }: LiveAttempt): Promise<boolean> {
  const { root } = services.context;
  const ref = attemptBranch(key);
  if ((await readRef(root, ref)) !== null) return true;
  if (attempt.base === null || (await isOnBranch(services, attempt))) return false;
  const to = (await readRef(root, keptRef(key))) ?? attempt.base;
  return (await moveRefs(root, [{ ref, from: null, to }])).ok === true;
}

function neverReady({ task }: LiveAttempt): Result<never> {
  const message = `The folder for ${task.id} was never ready, so there is nothing to hand in. Start it again.`;
  return refused("not-prepared", message, { next: [step("work.start", { reference: task.id })] });
}

function lost(key: string, { id }: Node): Result<never> {
  const message = `${key} no longer holds ${id}: it was finished, taken away, is being handed in elsewhere, or its lease ended.`;
  return refused("lease-lost", message, { next: [step("attempt.show", { id: key })] });
}

function broken({ key, task }: LiveAttempt, error: unknown): Result<never> {
  if (error instanceof ClaimLost) return lost(key, task);
  const why = messageOf(error).replace(/(?<![.\s])[.\s]*$/, ".");
  return refused("broken", `${task.id} could not be handed in: ${why} Your work stays where it is.`, {
    next: [step("work.done", { reference: task.id })],
  });
}

async function reportProblems({ services, live, folder }: HandIn, open: Unsettled): Promise<HandInResult> {
  const { worktree, base } = folder;
  const isConflict = open.verdict === "conflict";
  const checks = isConflict ? live.attempt.checks : (open.checks ?? []);
  const note = inOneLine(
    isConflict ? conflictNote(folder, open.files) : wrongNote(live, folder, shortWrong(open.wrong, checks)),
  );
  await enterState(services, live, { to: "working", patch: { checks, base } });
  noteInTranscript(services, live, `Not done yet: ${note}`);
  return { ...handed(live), state: "open", checks: [...checks], note, merged: null, worktree, notHandedIn: [] };
}

/** Notes are shown inside of lines. */
const inOneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");

const bringIn = ({ feature }: AttemptFolder): string =>
  `Commit in the folder what you have, then \`git merge ${shortName(feature)}\` brings their work in`;

/** If it is wrong only together with what others did, the person needs that in the folder to see it. */
const wrongNote = ({ attempt }: LiveAttempt, folder: AttemptFolder, wrong: string): string =>
  attempt.state === "integrating" ? `${wrong}\n${bringIn(folder)}.` : wrong;

const conflictNote = (folder: AttemptFolder, files: readonly string[]): string =>
  `Others changed the same lines meanwhile: ${files.join(", ")}. ${bringIn(folder)}; settle it, commit, and hand it in again.`;

const handed = ({ key, task, attempt }: LiveAttempt) => ({
  attempt: key,
  task: task.id,
  /** The commit on the feature's branch. */
  merged: attempt.merged,
  checks: [...attempt.checks, ...attempt.mergedChecks],
  /** What is wrong, or how it ended. */
  note: attempt.note,
  /** The ref that keeps what is not merged. */
  kept: attempt.kept,
});

/** `known`: the commit that holds what was handed in or kept. */
async function conclude(
  { context }: EngineServices,
  live: LiveAttempt,
  known: string | null,
  keep: boolean,
): Promise<HandInResult> {
  const { state } = live.attempt;
  const how = state === "accepted" || state === "released" ? state : "pending";
  return { ...handed(live), state: how, ...(await leaveFolder(context.root, live.attempt, known, keep)) };
}

/** What was done is kept, and the task is free again. Of one that has ended, only the folder goes. */
export async function abandonByHand(services: EngineServices, input: EndInput): Promise<Result<HandInResult>> {
  const task = await taskByHand(services, input.reference);
  if (!task.ok) return task;
  const left = await leftFolderOf(services, task.value);
  if (left) return removeLeftFolder(services, left);
  const found = await requireHeld(services, task.value.id);
  if (!found.ok) return found;
  const live = found.value;
  const { actor, root } = services.context;
  try {
    const tree = await findWorktree(services, live).catch(() => undefined);
    await endGivenBack(services, live, `given back by ${actor}`);
    await tree?.dispose();
    const known = (await readRef(root, keptRef(live.key))) ?? live.attempt.base;
    return ok(await conclude(services, live, known, input.keep ?? false));
  } catch (error) {
    return broken(live, error);
  }
}

/** People sleep, and go on holiday. */
const LEASE_DAYS = 30;

/** A person has a long lease, an agent the usual one. */
export function openHandWork(given: EngineServices, asker: Context) {
  const leaseMinutes = isPerson(asker.actor) ? LEASE_DAYS * 24 * 60 : asker.settings.leaseMinutes;
  const context = { ...asker, settings: { ...asker.settings, leaseMinutes } };
  const services: EngineServices = { ...given, context };
  return {
    begin: (input: BeginInput, signal: AbortSignal) => beginByHand(services, input, signal),
    finish: (input: EndInput, signal: AbortSignal) => finishByHand(services, input, signal),
    abandon: (input: EndInput) => abandonByHand(services, input),
    list: () => listByHand(services),
  };
}

export type HandWork = ReturnType<typeof openHandWork>;

interface LeftFolder {
  /** The folder, if it is still there. */
  readonly worktree: string | null;
  /** Files in it that are not as they were handed in, so the folder stays. */
  readonly notHandedIn: readonly string[];
}

/** `known`: the commit that holds what was handed in or kept. If the folder stays, it stands on that, because its branch is gone. */
async function leaveFolder(root: string, { worktree, base }: Attempt, known: string | null, keep: boolean) {
  if (worktree === null) return { worktree, notHandedIn: [] };
  const isThere = existsSync(worktree) && known !== null;
  // A folder that cannot be looked at may hold anything, so it stays.
  const changed = isThere ? await changedSince(worktree, known, base ?? known).catch(() => undefined) : [];
  if (!keep && changed?.length === 0) {
    const removed = await removeFolder(root, worktree);
    return { worktree: removed.ok ? null : worktree, notHandedIn: [] };
  }
  if (isThere) await settleOn(worktree, known);
  return { worktree, notHandedIn: changed ?? [] };
}

async function removeFolder(root: string, worktree: string): Promise<Done> {
  rmSync(setupLog(worktree), { force: true });
  return removeWorktree(root, worktree);
}

/** A folder that was left, of a task that is no longer worked on by hand. */
async function leftFolderOf({ context }: EngineServices, task: Node): Promise<LiveAttempt | undefined> {
  const { store } = context;
  const items = await store.read((reader) => reader.items("attempt", { owner: String(task.nr), newest: true }));
  const hands = items.filter(({ fields }) => isByHand(fields));
  if (hands.some(({ fields }) => fields.endedAt === null)) return undefined;
  const left = hands.find(({ fields }) => fields.worktree !== null && existsSync(join(fields.worktree, ".git")));
  return left && { key: left.key, task, attempt: left.fields };
}

async function removeLeftFolder({ context }: EngineServices, left: LiveAttempt): Promise<Result<HandInResult>> {
  const { root } = context;
  const { key, attempt } = left;
  const { merged, tip, base } = attempt;
  const worktree = attempt.worktree as string;
  const known = (await readRef(root, keptRef(key))) ?? (merged === null ? base : (tip ?? merged));
  const changed = known === null ? [] : await changedSince(worktree, known, base ?? known);
  if (changed.length > 0 && !(await isCommitted(worktree, base))) {
    const message = `${worktree} has changes that are kept nowhere else: ${changed.join(", ")}. Commit them to a branch first.`;
    return refused("unkept-changes", message);
  }
  const removed = await removeFolder(root, worktree);
  if (!removed.ok) return absent("not-removed", `${worktree} could not be removed: ${removed.problem}`);
  return ok({ ...handed(left), state: "released", note: "its folder is gone", worktree: null, notHandedIn: [] });
}

/** Whether all that is in the folder was committed, and a branch has that commit. */
async function isCommitted(worktree: string, base: string | null): Promise<boolean> {
  const repository = findRepository(worktree);
  const head = repository ? headCommit(repository) : null;
  if (head === null || (await changedSince(worktree, head, base ?? head)).length > 0) return false;
  const args = ["for-each-ref", "--count=1", `--contains=${head}`, "refs/heads"];
  return (await gitOutput(worktree, args, `git cannot list the branches of ${worktree}`)).trim() !== "";
}
