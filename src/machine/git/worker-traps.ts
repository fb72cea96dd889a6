// Files that a worker can leave to make our own git wait for ever: pipes where git reads settings. We look before git does.

import { type GitOptions, git } from "./git.js";
import type { GitResult } from "./pipes.js";
import type { WorkingTree } from "./working-tree.js";

/** Git over files that a worker made. `onPipes` does something about pipes that it waits for; then it starts again. */
export async function gitOverFiles(
  tree: WorkingTree,
  args: readonly string[],
  options: GitOptions,
  onPipes: (paths: readonly string[]) => void,
): Promise<GitResult> {
  const all = { gitDir: tree.gitDir, ...options };
  const result = await git(tree.path, args, all);
  if (result.pipes === undefined) return result;
  onPipes(result.pipes);
  return git(tree.path, args, all);
}
