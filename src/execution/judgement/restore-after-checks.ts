// What checks leave behind is not the worker's, and must not get into its next change set.

import { restoreFiles } from "../../git/worktree.js";
import type { AttemptWorktree } from "../attempt/attempt-worktree.js";

export async function restoreAfterChecks(
  { worktree }: Pick<AttemptWorktree, "worktree">,
  commit: string,
): Promise<void> {
  const restored = await restoreFiles(worktree, commit);
  // Half restored, files of others would seem to have been deleted by the worker.
  if (!restored.ok) throw new Error(`what the checks left could not be put back: ${restored.problem}`);
}
