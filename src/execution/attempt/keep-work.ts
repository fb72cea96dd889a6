// Unmerged work is never deleted. Before an attempt's branch goes, what it holds, uncommitted changes too, is kept under
// a ref of its own. Taking the branch away is also what fences off a program that only slept.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { snapshot } from "../../git/change-set.js";
import { commitTree, contains, treeOf } from "../../git/merge.js";
import { attemptBranch, keptRef, moveRefs, readRef } from "../../git/refs.js";
import type { Attempt } from "../../graph/attempt/attempt.js";

const TRIES = 3;

/** The ref that keeps it; null if it had changed nothing, or never came to have a branch. `look` tells how it stands. */
export async function keepWork(
  root: string,
  key: string,
  look: () => Attempt | Promise<Attempt>,
): Promise<string | null> {
  const branch = attemptBranch(key);
  let problem = "";
  for (let tried = 0; tried < TRIES; tried++) {
    const held = await readRef(root, branch);
    // Another program may have been faster.
    if (held === null) return (await readRef(root, keptRef(key))) === null ? null : keptRef(key);
    const attempt = await look();
    const work = await withCommits(root, await workOf(attempt, held), held, attempt.base);
    const worth = work !== null && work !== attempt.base;
    const moved = await moveRefs(root, [
      { ref: branch, from: held, to: null },
      ...(worth ? [{ ref: keptRef(key), to: work }] : []),
    ]);
    if (moved.ok) return worth ? keptRef(key) : null;
    problem = moved.problem;
  }
  throw new Error(`what ${key} did could not be kept: ${problem}`);
}

/** What stands in its worktree; where that is gone, what was last committed. */
async function workOf({ state, worktree, branch, tip }: Attempt, held: string): Promise<string | null> {
  // Before it was prepared, the folder may still hold what another attempt left.
  const prepared = state !== "claimed" && branch !== null;
  const there = prepared && worktree !== null && existsSync(join(worktree, ".git"));
  const standing = there ? await snapshot(worktree, held) : null;
  if (standing === null || tip === null) return standing ?? tip ?? held;
  // What was committed says whose it is; a snapshot only says that it was there.
  return (await treeOf(worktree as string, standing)) === (await treeOf(worktree as string, tip)) ? tip : standing;
}

/** Whoever committed on the branch and then went elsewhere has both kept. */
async function withCommits(
  root: string,
  work: string | null,
  held: string,
  base: string | null,
): Promise<string | null> {
  if (work === null || held === base || held === work || (await contains(root, work, held))) return work;
  return commitTree(root, await treeOf(root, work), [work, held], "Everything that was left\n");
}
