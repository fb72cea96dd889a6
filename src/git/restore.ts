// Makes the files of a worktree those of a commit again, where it stands: what checks have left behind goes, what git
// ignores stays, and so does the branch.

import { git, problemOf, succeeded } from "./git.js";
import { type Done, done } from "./refs.js";

export async function restoreFiles(path: string, commit: string): Promise<Done> {
  for (const args of [
    ["read-tree", "--reset", "-u", "--end-of-options", commit],
    ["clean", "-fdq"],
  ]) {
    const result = await git(path, args);
    if (!succeeded(result)) return { problem: problemOf(result) };
  }
  return done;
}
