// A fresh worktree of one commit, in which commands prove something about that commit: all checks that count run in one. Nothing in it
// was ever within reach of a worker, and it goes afterwards.

import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { namesInFolder } from "../../base/paths.js";
import { type CheckSettings, runChecks } from "../../machine/checks/run-checks.js";
import { lendRepository } from "../../machine/git/lend.js";
import { initSubmodules } from "../../machine/git/submodules.js";
import { addWorktree, changedInWorktree, removeWorktree, restoreFiles } from "../../machine/git/worktree.js";
import { findSandbox, homesFolder } from "../../machine/sandbox/sandbox.js";
import {
  NOTHING_SHARED,
  type SharedFolders,
  shareFolders,
  sharesBlocks,
} from "../../machine/worktrees/carried-copy.js";
import { attemptEnvironment, isRehearsalSlot, newRehearsal } from "../../machine/worktrees/environment.js";
import type { Check, CheckResult } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { checksFolder, slotFolder } from "../attempt/attempt-places.js";
import type { EngineServices } from "../services.js";
import { bundleTextOf, setUpIn, type Trial } from "./attempt-worktree.js";
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
    return await layOutAndUse(services, { worktree, commit, attempt, task, env: made.value.variables, signal }, use);
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

interface RunOn extends Pick<CheckSettings, "onFailure" | "excuse"> {
  /** What viewers see before the command: a run that proves something else must not look like a second try. */
  readonly shownAs?: string;
}

/**
 * Runs checks on a commit, whoever did the work: beside its worktree, with a temporary folder, a cache and ports that no worker had.
 * Refused if the commit cannot be set up; nothing is known then.
 */
export async function runOnCommit(
  { services, live, tree, signal }: Trial,
  commit: string,
  checks: readonly Check[],
  { shownAs = "check", ...how }: RunOn = {},
): Promise<Result<CheckResult[]>> {
  if (checks.length === 0) return ok([]);
  const { context, policy } = services;
  const { root } = context;
  const { id: task } = live.task;
  const slot = live.attempt.slot as number;
  const worktree = checksFolder(services, slot);
  const own = tree.input.env;
  const actor = own["PLANWRIGHT_ACTOR"];
  const place = {
    slot,
    attempt: live.key,
    task,
    root,
    worktree,
    settings: policy,
    env: services.env,
    isForChecks: true,
  };
  const made = await attemptEnvironment({ ...place, ...(actor !== undefined && { actor }) });
  if (!made.ok) return made;
  try {
    await writeFile(made.value.bundle, await bundleTextOf(services, live));
    // Without a sandbox, the name tells our own moves of branches from a worker's.
    const committer = own["GIT_COMMITTER_NAME"];
    const env = { ...made.value.variables, ...(committer !== undefined && { GIT_COMMITTER_NAME: committer }) };
    const place = { worktree, commit, attempt: live.key, task, env, signal, shownAs };
    return await layOutAndUse(services, place, async (settings) =>
      ok(await runChecks(checks, { ...settings, ...how })),
    );
  } finally {
    await removeWorktree(root, worktree);
    await made.value.dispose();
    await rm(made.value.cache, { recursive: true, force: true });
  }
}

interface CleanPlace {
  readonly worktree: string;
  readonly commit: string;
  readonly attempt: string;
  readonly task: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly shownAs?: string;
}

async function layOutAndUse<T>(
  services: EngineServices,
  { worktree, commit, attempt, task, env, signal, shownAs = "check" }: CleanPlace,
  use: (settings: CheckSettings) => Promise<Result<T>>,
): Promise<Result<T>> {
  const laid = await layOut(services.context.root, worktree, commit);
  if (!laid.ok) return laid;
  const usable = await setUpIn(services, worktree, env, signal, await sharedFolders(services, worktree, env, signal));
  if (!usable.ok) return usable;
  const settings = settingsFor(
    services,
    { attempt, task, shownAs },
    { cwd: worktree, env, wrap: usable.value.wrap, signal },
  );
  const isGone = (): boolean => !existsSync(join(worktree, ".git"));
  const removed = (): Result<never> =>
    refused("no-worktree", `The worktree ${worktree} was removed while commands ran in it. Start again.`);
  const putBackTree = async (): Promise<readonly string[]> => {
    // What set-up commands left there may be needed.
    if (services.policy.setup.length === 0) await emptyFolders(env);
    return putBack(worktree, commit);
  };
  try {
    const used = await use({ ...settings, putBack: putBackTree });
    // Whatever ran says nothing about the commit then, and nothing of it may be kept.
    return isGone() ? removed() : used;
  } catch (error) {
    if (isGone()) return removed();
    throw error;
  }
}

/**
 * Copying packages takes longer than most checks. Where the disk does not share what is the same, and a sandbox can lay folders over
 * others, all worktrees of checks read one copy. Set-up commands change what is carried, so they get a copy of their own.
 */
async function sharedFolders(
  { context: { root }, policy }: EngineServices,
  worktree: string,
  env: CleanPlace["env"],
  signal: AbortSignal,
): Promise<SharedFolders> {
  const { carry, carryBy, setup, worktrees: folder } = policy;
  const cache = env["PLANWRIGHT_CACHE"];
  if (cache === undefined || carryBy !== "copy" || setup.length > 0) return NOTHING_SHARED;
  const sandbox = await findSandbox(policy.sandbox, env["PATH"]);
  if (!sandbox.ok || sandbox.value.kind !== "bubblewrap" || (await sharesBlocks(folder))) return NOTHING_SHARED;
  return shareFolders(carry, { root, worktree, folder, cache, signal });
}

async function layOut(root: string, worktree: string, commit: string): Promise<Result<void>> {
  await removeWorktree(root, worktree);
  const added = await addWorktree(root, worktree, commit);
  if (added.ok) await lendRepository(worktree, { commit, branch: null, name: "planwright" });
  if (added.ok) return ok(undefined);
  return refused("no-worktree", `The worktree ${worktree} could not be made: ${added.problem}.`);
}

/** A check may leave settings or programs in its home folder, which a later one would obey. */
async function emptyFolders({ PLANWRIGHT_TMP: tmp, PLANWRIGHT_BUNDLE: bundle }: CleanPlace["env"]): Promise<void> {
  if (tmp === undefined) return;
  const own = join(homesFolder(tmp), "worker");
  for (const folder of [join(own, "home"), join(own, "tmp"), tmp]) {
    const paths = namesInFolder(folder).map((name) => join(folder, name));
    for (const path of paths) if (path !== bundle) await rm(path, { recursive: true, force: true });
  }
}

/** A check may write into the tree: the next one finds what the commit holds, and what git ignores. */
async function putBack(worktree: string, commit: string): Promise<readonly string[]> {
  const changed = await changedInWorktree(worktree, commit);
  if (changed?.length === 0) return changed;
  const restored = changed !== undefined && (await restoreFiles(worktree, commit)).ok;
  const isBack = restored && (await initSubmodules(worktree)) === undefined;
  const left = isBack ? await changedInWorktree(worktree, commit) : undefined;
  if (changed !== undefined && left?.length === 0) return changed;
  // Nothing that runs there afterwards would prove anything about the commit.
  throw new Error(`after a check, ${worktree} could not be compared with ${commit.slice(0, 10)} and put back`);
}

/** How commands run that prove something. `shown`: the attempt and the task that viewers see with them. */
const settingsFor = (
  { context, policy, redact, onEvent }: EngineServices,
  { shownAs, ...shown }: { readonly attempt: string; readonly task: string; readonly shownAs: string },
  place: Pick<CheckSettings, "cwd" | "env" | "wrap"> & { readonly signal: AbortSignal },
): CheckSettings => ({
  ...place,
  timeoutS: context.settings.checkTimeoutS,
  onFailure: policy.onFailedCheck,
  redact,
  onStart: ({ run }) => onEvent({ type: "line", ...shown, line: `${shownAs}: ${run}` }),
});
