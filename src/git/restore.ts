// Makes the files of a worktree those of a commit again, where it stands: what checks have left behind goes, what git
// ignores stays, and so does the branch.

import { git, problemOf, succeeded } from "./git.js";
import { type Done, done } from "./refs.js";
import { workingTreeAt } from "./working-tree.js";

export async function restoreFiles(path: string, commit: string): Promise<Done> {
  const tree = workingTreeAt(path);
  if (!tree) return { problem: `${path} is not a worktree any more.` };
  // Never the repository around it, whatever became of its `.git`.
  const { gitDir } = tree;
  // What is as it should be is known to be first, so that it is not written anew: agents watch the times of files.
  await git(path, ["read-tree", "--reset", "--end-of-options", commit], { gitDir });
  await git(path, ["update-index", "-q", "--refresh"], { gitDir });
  for (const args of [
    ["read-tree", "--reset", "-u", "--end-of-options", commit],
    ["clean", "-fdq"],
  ]) {
    const result = await git(path, args, { gitDir });
    if (!succeeded(result)) return { problem: problemOf(result) };
  }
  return done;
}
