// Runs checks on a commit with some files of another commit: the base with only the tests of a change, or a change with its
// protected files as they were.

import { type CheckSettings, runChecks } from "../../machine/checks/run-checks.js";
import { gitDone } from "../../machine/git/git.js";
import { addWorktree, removeWorktree } from "../../machine/git/worktree.js";
import type { Check, CheckResult } from "../../model/node/node.js";
import { baseWorktreeOf } from "../attempt/attempt-places.js";
import { type AttemptWorktree } from "./attempt-worktree.js";

export interface MixedTree {
  readonly commit: string;
  /** Taken from another commit. */
  readonly files: { readonly from: string; readonly paths: readonly string[] } | null;
}

/** Null if the tree could not be made: then nothing is known. */
export async function runOnMixedTree(
  { root, worktree, setUp }: Pick<AttemptWorktree, "root" | "worktree" | "setUp">,
  { commit, files }: MixedTree,
  checks: readonly Check[],
  settings: CheckSettings,
): Promise<CheckResult[] | null> {
  const path = baseWorktreeOf(worktree);
  await removeWorktree(root, path);
  try {
    const added = await addWorktree(root, path, commit);
    if (!added.ok) return null;
    if (files !== null) {
      const taken = await gitDone(path, ["checkout", "--quiet", files.from, "--", ...files.paths]);
      if (!taken.ok) return null;
    }
    await setUp(path);
    return await runChecks(checks, { ...settings, cwd: path, env: { ...settings.env, PLANWRIGHT_WORKTREE: path } });
  } finally {
    await removeWorktree(root, path);
  }
}
