// A worktree that somebody works in, put onto a commit of which no branch may move, with everything that git ignores left
// as it is.

import { git, problemOf, succeeded } from "./git.js";
import { type Done, done } from "./refs.js";
import { rememberIndex, workingTreeAt } from "./working-tree.js";

/** Changes are looked for from here on. */
function remember(worktree: string): void {
  const tree = workingTreeAt(worktree);
  if (tree) rememberIndex(tree);
}

/** The files become those of the commit. Whatever else was not ignored must have been committed before. */
export async function switchTo(worktree: string, commit: string): Promise<Done> {
  const result = await git(worktree, ["checkout", "--quiet", "-f", "--detach", commit, "--"]);
  if (!succeeded(result)) return { problem: problemOf(result) };
  remember(worktree);
  return done;
}

/** The files stay as they are: they are those of the commit already. */
export async function settleOn(worktree: string, commit: string): Promise<Done> {
  for (const args of [
    ["update-ref", "--no-deref", "HEAD", commit],
    ["reset", "--quiet", "--mixed"],
  ]) {
    const result = await git(worktree, args);
    if (!succeeded(result)) return { problem: problemOf(result) };
  }
  remember(worktree);
  return done;
}
