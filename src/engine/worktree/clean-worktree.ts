// A temporary worktree of one commit, set up like that of an attempt, in which commands prove something about that commit. It is
// made again, so that no files of an earlier attempt influence them, and goes afterwards.

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type CheckSettings, runChecks } from "../../machine/checks/run-checks.js";
import { gitDone } from "../../machine/git/git.js";
import { addWorktree, removeWorktree, resetWorktree } from "../../machine/git/worktree.js";
import { attemptEnvironment, isRehearsalSlot, newRehearsal } from "../../machine/worktrees/environment.js";
import type { Check, CheckResult } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { baseWorktreeOf, slotFolder } from "../attempt/attempt-places.js";
import type { EngineServices } from "../services.js";
import { type AttemptWorktree, setUpIn } from "./attempt-worktree.js";
import { settleSlots } from "./worktree-pool.js";

export interface WorktreeSlot {
  readonly slot: number;
  /** Whose ports it gets, if not those of its slot. */
  readonly lane?: number;
  /** The attempt's key, or a word for a rehearsal. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/** A lane above every slot of attempts, so that a rehearsal can run beside real work. */
const REHEARSAL_LANE = 40;
let begun = process.pid;

/** Several may go on at once, also in one program, so none ever has the folders of another. */
export const rehearsalSlot = (signal: AbortSignal): WorktreeSlot => ({
  ...newRehearsal(),
  lane: REHEARSAL_LANE + (begun++ % 10),
  signal,
});

/** `task`: for whom it is made, as commands and viewers see it. */
export async function inCleanWorktree<T>(
  services: EngineServices,
  { commit, task }: { readonly commit: string; readonly task: string },
  stand: WorktreeSlot,
  use: (settings: CheckSettings) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { context, policy } = services;
  const { root } = context;
  const { slot, lane = slot, key: attempt, signal } = stand;
  const worktree = slotFolder(services, slot);
  // A rehearsal is in no plan: a program that removes worktrees knows it by its temporary folder.
  if (!isRehearsalSlot(slot)) await settleSlots(services, signal);
  const place = { slot, lane, attempt, task, root, worktree, settings: policy, env: services.env };
  const made = await attemptEnvironment(place);
  if (!made.ok) return made;
  try {
    const laid = await layOut(root, worktree, commit);
    if (!laid.ok) return laid;
    const env = made.value.variables;
    const usable = await setUpIn(services, worktree, env, signal);
    if (!usable.ok) return usable;
    const used = await use(
      settingsFor(services, { attempt, task }, { cwd: worktree, env, wrap: usable.value.wrap, signal }),
    );
    // Whatever ran says nothing about the commit then, and nothing of it may be kept.
    if (existsSync(join(worktree, ".git"))) return used;
    return refused("no-worktree", `The worktree ${worktree} was removed while commands ran in it. Start again.`);
  } finally {
    if (await hasSlot(services, stand)) await removeWorktree(root, worktree);
    await made.value.dispose();
    if (isRehearsalSlot(slot)) await rm(made.value.cache, { recursive: true, force: true });
  }
}

/** False if a program on another machine declared this landing lost: its slot may be in use again. */
async function hasSlot({ context }: EngineServices, { key, slot }: WorktreeSlot): Promise<boolean> {
  const item = await context.store.read((reader) => reader.item("attempt", key));
  return item === undefined || item.fields.slot === slot;
}

async function layOut(root: string, worktree: string, commit: string): Promise<Result<void>> {
  await removeWorktree(root, worktree);
  const added = await addWorktree(root, worktree, commit);
  const exact = added.ok ? await resetWorktree(worktree, commit, { keep: [] }) : added;
  if (exact.ok) return ok(undefined);
  return refused("no-worktree", `The worktree ${worktree} could not be made: ${exact.problem}.`);
}

/** How commands run that prove something. `shown`: the attempt and the task that viewers see with them. */
export const settingsFor = (
  { context, policy, redact, onEvent }: EngineServices,
  shown: { readonly attempt: string; readonly task: string },
  place: Pick<CheckSettings, "cwd" | "env" | "wrap"> & { readonly signal: AbortSignal },
): CheckSettings => ({
  ...place,
  timeoutS: context.settings.checkTimeoutS,
  onFailure: policy.onFailedCheck,
  redact,
  onStart: ({ run }) => onEvent({ type: "line", ...shown, line: `check: ${run}` }),
});

/** `files`: taken from another commit. Null if the tree could not be made: then nothing is known. */
export async function runOnMixedTree(
  { root, worktree, setUp }: Pick<AttemptWorktree, "root" | "worktree" | "setUp">,
  commit: string,
  files: { readonly from: string; readonly paths: readonly string[] } | null,
  checks: readonly Check[],
  settings: CheckSettings,
): Promise<CheckResult[] | null> {
  const path = baseWorktreeOf(worktree);
  await removeWorktree(root, path);
  try {
    const added = await addWorktree(root, path, commit);
    if (!added.ok) return null;
    if (files !== null) {
      const taken = await gitDone(path, ["checkout", "--quiet", files.from, "--", ...files.paths]);
      if (!taken.ok) return null;
    }
    await setUp(path);
    return await runChecks(checks, { ...settings, cwd: path, env: { ...settings.env, PLANWRIGHT_WORKTREE: path } });
  } finally {
    await removeWorktree(root, path);
  }
}
