// The ends of work by hand: handed in and judged like any attempt, or given back with what was done kept.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/errors.js";
import { snapshot } from "../../machine/git/change-set.js";
import { type Done, git, problemOf, succeeded } from "../../machine/git/git.js";
import { contains } from "../../machine/git/merge.js";
import { attemptBranch, keptRef, moveRefs, readRef, shortName } from "../../machine/git/refs.js";
import { findRepository } from "../../machine/git/repository.js";
import { removeWorktree, settleOn } from "../../machine/git/worktree.js";
import { endOrphans } from "../../machine/process/orphans.js";
import { setupLog } from "../../machine/worktrees/carry.js";
import { canHandIn, isByHand } from "../../model/attempt/attempt.js";
import { step } from "../../model/next-step.js";
import type { CheckResult, Node } from "../../model/node/node.js";
import { absent, ok, type Result, refused } from "../../model/result.js";
import { isStale } from "../../model/status/stale.js";
import { ClaimLost, enterState, type LiveAttempt, untilLost } from "../attempt/attempt-state.js";
import { type AttemptWorktree, baseWorktreeOf, findWorktree } from "../attempt/attempt-worktree.js";
import { endGivenBack } from "../attempt/end-attempt.js";
import { heartbeatOf } from "../attempt/heartbeats.js";
import { runningFolder } from "../attempt/running-folder.js";
import { packTask } from "../attempt/task-bundle.js";
import { type Judgement, judgeAttempt } from "../judgement/judge.js";
import { isOnBranch, recover } from "../recovery/reconcile.js";
import type { EngineServices } from "../tick/services.js";
import { claimIsGone, requireByHand, taskByHand } from "./find-hand-work.js";
import { backToWork, noteInTranscript } from "./hand-in-notes.js";

export interface EndInput {
  /** Without it, the one whose folder this is. */
  readonly reference?: string;
  /** Leave the folder. */
  readonly keep?: boolean;
}

export interface HandInResult {
  readonly attempt: string;
  readonly task: string;
  /** `open`: something is wrong, and the person goes on. `pending`: a person has to accept it. */
  readonly state: "accepted" | "pending" | "released" | "open";
  /** The commit on the feature's branch. */
  readonly merged: string | null;
  readonly checks: readonly CheckResult[];
  /** What is wrong, or how it ended, for people. */
  readonly note: string;
  /** The ref that keeps what is not merged. */
  readonly kept: string | null;
  /** The folder, if it is still there. */
  readonly worktree: string | null;
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
    return refused(
      "approval-stale",
      `${live.task.id} was changed after it was approved, so its checks prove nothing. Your work stays where it is.`,
      { next: [step("approve", { references: [live.task.id] })] },
    );
  }
  const stop = untilLost(live, signal);
  const beat = heartbeatOf(services, live);
  let tree: AttemptWorktree | undefined;
  try {
    tree = await findWorktree(services, live, stop);
    const changed = await readyToHandIn(live, tree);
    if (!changed.ok) return changed;
    await takeOver(services, live, tree, changed.value);
    const judged = await judgeAttempt(services, live, tree, stop);
    if (signal.aborted && judged !== "ended") throw new Error("it was stopped.");
    if (judged !== "ended") return ok(await reportProblems(services, live, tree, judged));
    await tree.dispose();
    return ok(await conclude(services, live, input.keep ?? false));
  } catch (error) {
    if (!(error instanceof ClaimLost)) await backToWork(services, live, messageOf(error));
    return broken(live, error);
  } finally {
    beat.stop();
    tree?.release();
  }
}

/** A judgement that was killed starts again; one that is running goes no further. */
async function takeOver(
  services: EngineServices,
  live: LiveAttempt,
  { base }: AttemptWorktree,
  changed: readonly string[],
): Promise<void> {
  await endOrphans(runningFolder(services));
  const { key: bundle } = await packTask(services, live.task);
  const handIns = (live.attempt.handIns ?? 0) + 1;
  const patch = { base, bundle, driver: services.process, handIns };
  await enterState(services, live, { to: "working", patch });
  noteInTranscript(services, live, `${services.context.actor} handed in ${changed.join(", ") || "no change"}.`);
}

/** The changed files. A person who merged what others did has settled it: from there on the change set counts. */
async function readyToHandIn(live: LiveAttempt, tree: AttemptWorktree): Promise<Result<string[]>> {
  const { root, worktree, feature } = tree;
  if (existsSync(join(findRepository(worktree)?.gitDir ?? worktree, "MERGE_HEAD"))) {
    return refused(
      "merging",
      `A merge is not finished in ${worktree}. Resolve it, commit it there, and hand it in again.`,
      {
        next: [step("work.done", { reference: live.task.id })],
      },
    );
  }
  const tip = await readRef(root, feature);
  if (tip !== null && tip !== tree.base && (await contains(worktree, "HEAD", tip))) tree.setBase(tip);
  const changed = await changedSince(worktree, tree.base);
  return changed.length === 0 && live.task.kind === "work" ? nothingChanged(live, tree) : ok(changed);
}

/** Whatever lies there that is not as it is in the commit; what git ignores does not count. */
async function changedSince(worktree: string, commit: string): Promise<string[]> {
  const args = ["diff", "--name-only", "-z", "--no-renames", commit, await snapshot(worktree), "--"];
  const result = await git(worktree, args);
  if (!succeeded(result)) throw new Error(`${worktree} could not be looked at: ${problemOf(result)}`);
  return result.stdout.split("\0").filter((name) => name !== "");
}

const nothingChanged = ({ task }: LiveAttempt, { worktree }: AttemptWorktree): Result<never> =>
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

const neverReady = ({ task }: LiveAttempt): Result<never> =>
  refused(
    "not-prepared",
    `The folder for ${task.id} was never ready, so there is nothing to hand in. Start it again.`,
    {
      next: [step("work.start", { reference: task.id })],
    },
  );

const lost = (key: string, { id }: Node): Result<never> =>
  refused(
    "lease-lost",
    `${key} no longer holds ${id}: it was finished, taken away, is being handed in elsewhere, or its lease ended.`,
    { next: [step("attempt.show", { id: key })] },
  );

function broken({ key, task }: LiveAttempt, error: unknown): Result<never> {
  if (error instanceof ClaimLost) return lost(key, task);
  const why = messageOf(error).replace(/[.\s]*$/, ".");
  return refused("broken", `${task.id} could not be handed in: ${why} Your work stays where it is.`, {
    next: [step("work.done", { reference: task.id })],
  });
}

/** Not done yet: everything stays, and the next change set is held against where the folder stands now. */
async function reportProblems(
  services: EngineServices,
  live: LiveAttempt,
  tree: AttemptWorktree,
  judged: Exclude<Judgement, "ended">,
): Promise<HandInResult> {
  const checks = "wrong" in judged ? (judged.checks ?? []) : live.attempt.checks;
  await enterState(services, live, { to: "working", patch: { checks, base: tree.base } });
  const note = "wrong" in judged ? judged.wrong : conflictNote(tree, judged.conflicts);
  noteInTranscript(services, live, `Not done yet: ${note}`);
  return { ...handed(live), state: "open", checks, note, merged: null, worktree: tree.worktree };
}

const conflictNote = ({ feature }: AttemptWorktree, files: readonly string[]): string =>
  [
    `Others changed the same lines meanwhile: ${files.join(", ")}.`,
    `Commit in the folder what you have, then \`git merge ${shortName(feature)}\` brings their work in; settle it, commit, and hand it in again.`,
  ].join("\n");

const handed = ({ key, task, attempt }: LiveAttempt): Omit<HandInResult, "state" | "worktree"> => ({
  attempt: key,
  task: task.id,
  merged: attempt.merged,
  checks: [...attempt.checks, ...attempt.mergedChecks],
  note: attempt.note,
  kept: attempt.kept,
});

async function conclude({ context }: EngineServices, live: LiveAttempt, keep: boolean): Promise<HandInResult> {
  const { worktree, state } = live.attempt;
  const how = state === "accepted" || state === "released" ? state : "pending";
  const stays = worktree !== null && (await leaveFolder(context.root, live, worktree, keep));
  return { ...handed(live), state: how, worktree: stays ? worktree : null };
}

/** With the tree that it was compared with, and what its set-up said. */
async function removeFolder(root: string, worktree: string): Promise<Done> {
  await removeWorktree(root, baseWorktreeOf(worktree));
  rmSync(setupLog(worktree), { force: true });
  return removeWorktree(root, worktree);
}

/** Whether it stays. Its branch is gone, so it stands on what became of the work. */
async function leaveFolder(
  root: string,
  { key, attempt }: LiveAttempt,
  worktree: string,
  keep: boolean,
): Promise<boolean> {
  if (!keep) return !(await removeFolder(root, worktree)).ok;
  const commit = attempt.merged ?? (await readRef(root, keptRef(key))) ?? attempt.base;
  if (commit !== null) await settleOn(worktree, commit);
  return true;
}

/** What was done is kept, and the task is free again. Of one that has ended, only the folder goes. */
export async function abandonByHand(services: EngineServices, input: EndInput): Promise<Result<HandInResult>> {
  const task = await taskByHand(services, input.reference);
  if (!task.ok) return task;
  const left = await keptFolder(services, task.value);
  if (left) return removeKeptFolder(services, left);
  const found = await requireHeld(services, task.value.id);
  if (!found.ok) return found;
  const live = found.value;
  const { actor } = services.context;
  try {
    const tree = await findWorktree(services, live, new AbortController().signal).catch(() => undefined);
    await endGivenBack(services, live, `given back by ${actor}`);
    await tree?.dispose();
    return ok(await conclude(services, live, input.keep ?? false));
  } catch (error) {
    return broken(live, error);
  }
}

/** A kept folder of a task that is no longer worked on by hand. */
async function keptFolder(services: EngineServices, task: Node): Promise<LiveAttempt | undefined> {
  const { store } = services.context;
  const items = await store.read((reader) => reader.items("attempt", { owner: String(task.nr), newest: true }));
  const hands = items.filter(({ fields }) => isByHand(fields));
  if (hands.some(({ fields }) => fields.endedAt === null)) return undefined;
  const left = hands.find(({ fields }) => fields.worktree !== null && existsSync(join(fields.worktree, ".git")));
  return left && { key: left.key, task, attempt: left.fields };
}

async function removeKeptFolder({ context }: EngineServices, live: LiveAttempt): Promise<Result<HandInResult>> {
  const { key, attempt } = live;
  const worktree = attempt.worktree as string;
  const known = attempt.merged ?? (await readRef(context.root, keptRef(key))) ?? attempt.base;
  const changed = known === null ? [] : await changedSince(worktree, known);
  if (changed.length > 0) {
    return refused(
      "unkept-changes",
      `${worktree} has changes that are kept nowhere else: ${changed.join(", ")}. Commit them to a branch first.`,
    );
  }
  const removed = await removeFolder(context.root, worktree);
  if (!removed.ok) return absent("not-removed", `${worktree} could not be removed: ${removed.problem}`);
  return ok({ ...handed(live), state: "released", note: "its folder is gone", worktree: null });
}
