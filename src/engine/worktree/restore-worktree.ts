// Restores the files that checks or a review changed, so that they do not get into the worker's next change set.

import { restoreFiles } from "../../machine/git/worktree.js";
import type { AttemptWorktree } from "./attempt-worktree.js";

export async function restoreWorktree({ worktree }: Pick<AttemptWorktree, "worktree">, commit: string): Promise<void> {
  const restored = await restoreFiles(worktree, commit);
  // In a half-restored worktree, the worker would seem to have deleted files.
  if (!restored.ok) throw new Error(`the worktree could not be restored: ${restored.problem}`);
}
