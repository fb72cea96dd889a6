// What becomes of the folder of someone who worked by hand, once the work has ended. It goes only if all that is in it is kept
// elsewhere: somebody may have typed in it while the checks ran.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { changedSince } from "../../machine/git/change-set.js";
import { type Done, gitOutput } from "../../machine/git/git.js";
import { keptRef, readRef } from "../../machine/git/refs.js";
import { findRepository, headCommit } from "../../machine/git/repository.js";
import { removeWorktree, settleOn } from "../../machine/git/worktree.js";
import { setupLog } from "../../machine/worktrees/carry.js";
import { type Attempt, isByHand } from "../../model/attempt/attempt.js";
import type { Node } from "../../model/node/node.js";
import { absent, ok, type Result, refused } from "../../model/result.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";

export interface LeftFolder {
  /** The folder, if it is still there. */
  readonly worktree: string | null;
  /** Files in it that are not as they were handed in, so the folder stays. */
  readonly notHandedIn: readonly string[];
}

/** `known`: the commit that holds what was handed in or kept. If the folder stays, it stands on that, because its branch is gone. */
export async function leaveFolder(
  root: string,
  { worktree, base }: Attempt,
  known: string | null,
  keep: boolean,
): Promise<LeftFolder> {
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

/** With what its set-up said. */
async function removeFolder(root: string, worktree: string): Promise<Done> {
  rmSync(setupLog(worktree), { force: true });
  return removeWorktree(root, worktree);
}

/** A folder that was left, of a task that is no longer worked on by hand. */
export async function leftFolderOf({ context }: EngineServices, task: Node): Promise<LiveAttempt | undefined> {
  const { store } = context;
  const items = await store.read((reader) => reader.items("attempt", { owner: String(task.nr), newest: true }));
  const hands = items.filter(({ fields }) => isByHand(fields));
  if (hands.some(({ fields }) => fields.endedAt === null)) return undefined;
  const left = hands.find(({ fields }) => fields.worktree !== null && existsSync(join(fields.worktree, ".git")));
  return left && { key: left.key, task, attempt: left.fields };
}

export async function removeLeftFolder(
  { context }: EngineServices,
  { key, attempt }: LiveAttempt,
): Promise<Result<LeftFolder>> {
  const { root } = context;
  const { merged, tip, base } = attempt;
  const worktree = attempt.worktree as string;
  const known = (await readRef(root, keptRef(key))) ?? (merged === null ? base : (tip ?? merged));
  const changed = known === null ? [] : await changedSince(worktree, known, base ?? known);
  if (changed.length > 0 && !(await isCommitted(worktree, base))) {
    return refused(
      "unkept-changes",
      `${worktree} has changes that are kept nowhere else: ${changed.join(", ")}. Commit them to a branch first.`,
    );
  }
  const removed = await removeFolder(root, worktree);
  if (!removed.ok) return absent("not-removed", `${worktree} could not be removed: ${removed.problem}`);
  return ok({ worktree: null, notHandedIn: [] });
}

/** All that is in the folder was committed, and a branch has that commit. */
async function isCommitted(worktree: string, base: string | null): Promise<boolean> {
  const repository = findRepository(worktree);
  const head = repository ? headCommit(repository) : null;
  if (head === null || (await changedSince(worktree, head, base ?? head)).length > 0) return false;
  const args = ["for-each-ref", "--count=1", `--contains=${head}`, "refs/heads"];
  return (await gitOutput(worktree, args, `git cannot list the branches of ${worktree}`)).trim() !== "";
}
