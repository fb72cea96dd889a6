// Saves unmerged work, uncommitted changes included, under a ref before the attempt's branch is deleted. Without its branch, a
// process that was only paused can no longer integrate.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { snapshot } from "../../machine/git/change-set.js";
import { commitTree, contains, treeOf } from "../../machine/git/merge.js";
import { attemptBranch, keptRef, moveRefs, readRef } from "../../machine/git/refs.js";
import { type Attempt, hasEnded } from "../../model/attempt/attempt.js";
import { changeItem } from "../../model/item/item.js";
import { ok } from "../../model/result.js";
import { act, type Context } from "../../plan/base/context.js";

const TRIES = 3;

/**
 * Returns the ref; null if nothing was changed or the attempt never had a branch. `look` reads the attempt. With `judged`, only that
 * commit is kept, and not what came into the folder since.
 */
export async function keepWork(
  context: Context,
  key: string,
  look: () => Attempt | Promise<Attempt>,
  { judged = null }: { readonly judged?: string | null } = {},
): Promise<string | null> {
  const { root } = context;
  const branch = attemptBranch(key);
  let problem = "";
  for (let tried = 0; tried < TRIES; tried++) {
    const held = await readRef(root, branch);
    // Another process may have been faster.
    if (held === null) return (await readRef(root, keptRef(key))) === null ? null : keptRef(key);
    const attempt = await look();
    const work = await withCommits(root, judged ?? (await workOf(attempt, held)), held, attempt.base);
    const worth = work !== null && work !== attempt.base;
    if (!worth) await noteRemoval(context, key, held);
    const moved = await moveRefs(root, [
      { ref: branch, from: held, to: null },
      ...(worth ? [{ ref: keptRef(key), to: work }] : []),
    ]);
    if (moved.ok) return worth ? keptRef(key) : null;
    problem = moved.problem;
  }
  throw new Error(`what ${key} did could not be kept: ${problem}`);
}

/** Written down before the branch goes: whoever watches a worker meanwhile must be able to tell that it was not the worker. */
async function noteRemoval(context: Context, key: string, held: string): Promise<void> {
  const noted = await act(context, "attempt", async (writer) => {
    const item = await writer.item("attempt", key);
    const isNew = item !== undefined && !hasEnded(item.fields.state) && item.fields.letGo !== held;
    return ok({
      sentence: `${key} leaves no work: its branch is removed`,
      changes: isNew ? changeItem(item, { letGo: held }) : [],
      value: null,
    });
  });
  if (!noted.ok) throw new Error(noted.error.message);
}

/** The content of the worktree as a commit; if the folder is gone, the last commit. */
async function workOf({ state, worktree, branch, tip }: Attempt, held: string): Promise<string | null> {
  // Until the attempt is prepared, the folder may hold files of another attempt.
  const prepared = state !== "claimed" && branch !== null;
  const there = prepared && worktree !== null && existsSync(join(worktree, ".git"));
  const standing = there ? await snapshot(worktree, held) : null;
  if (standing === null || tip === null) return standing ?? tip ?? held;
  // If both have the same files, prefer the real commit, because its message names the attempt.
  return (await treeOf(worktree as string, standing)) === (await treeOf(worktree as string, tip)) ? tip : standing;
}

/** Keeps commits of the branch, too, if the worker moved HEAD elsewhere. */
async function withCommits(
  root: string,
  work: string | null,
  held: string,
  base: string | null,
): Promise<string | null> {
  if (work === null || held === base || held === work || (await contains(root, work, held))) return work;
  return commitTree(root, await treeOf(root, work), [work, held], "Everything that was left\n");
}
