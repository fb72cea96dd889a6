// A temporary worktree of one commit, set up like that of an attempt, in which commands prove something about that commit. It is
// made anew, so that no files of an earlier attempt influence them, and goes afterwards.

import type { CheckSettings } from "../../checks/run-checks.js";
import { addWorktree, removeWorktree, resetWorktree } from "../../git/worktree.js";
import { ok, type Result, refused } from "../../graph/result.js";
import { setUpWorktree } from "../../worktrees/carry.js";
import { attemptEnvironment, dryRunKey } from "../../worktrees/environment.js";
import { sandboxIn, slotFolder } from "../attempt/attempt-worktree.js";
import type { EngineServices } from "../engine/services.js";

export interface WorktreeSlot {
  readonly slot: number;
  /** The attempt's key, or a word for a rehearsal. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/** Above every slot that attempts get, so that a rehearsal can go on beside real work. */
const REHEARSAL_SLOT = 40;

export const rehearsalSlot = (signal: AbortSignal): WorktreeSlot => ({
  slot: REHEARSAL_SLOT + (process.pid % 10),
  key: dryRunKey(),
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
  const { slot, key: attempt } = stand;
  const worktree = slotFolder(services, slot);
  const made = await attemptEnvironment({ slot, attempt, task, root, worktree, settings: policy, env: services.env });
  if (!made.ok) return made;
  try {
    const laid = await layOut(root, worktree, commit);
    if (!laid.ok) return laid;
    const settings = await settingsIn(services, { ...stand, worktree, task, env: made.value.variables });
    return settings.ok ? await use(settings.value) : settings;
  } finally {
    if (await hasSlot(services, stand)) await removeWorktree(root, worktree);
    await made.value.dispose();
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

interface LaidOut extends WorktreeSlot {
  readonly worktree: string;
  readonly task: string;
  readonly env: Readonly<Record<string, string>>;
}

async function settingsIn(
  services: EngineServices,
  { key, signal, worktree, task, env }: LaidOut,
): Promise<Result<CheckSettings>> {
  const { context, policy, redact } = services;
  const sandbox = await sandboxIn(services, worktree, env);
  if (!sandbox.ok) return sandbox;
  const { wrap } = sandbox.value;
  const usable = await setUpWorktree({ root: context.root, worktree, policy, env, wrap, redact, signal });
  if (!usable.ok) return usable;
  return ok({
    cwd: worktree,
    timeoutS: context.settings.checkTimeoutS,
    env,
    wrap,
    onFailure: policy.onFailedCheck,
    signal,
    redact,
    onStart: ({ run }) => services.onEvent({ type: "line", attempt: key, task, line: `check: ${run}` }),
  });
}
