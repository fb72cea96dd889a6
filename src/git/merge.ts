// Merges without a working tree: two commits in, and out comes a tree, or the files that conflict.

import { type GitOptions, git, gitOutput, problemOf, succeeded } from "./git.js";

export type Merge = { readonly tree: string } | { readonly conflicts: readonly string[] };

/** Merges `theirs` into `ours`. Writes nothing but objects. */
export async function mergeTrees(cwd: string, ours: string, theirs: string): Promise<Merge> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", "--", ours, theirs];
  const result = await git(cwd, args);
  const [tree = "", ...names] = result.stdout.split("\0").filter((part) => part !== "");
  // An unknown commit has the exit code of a conflict, but no tree.
  if (result.exitCode === 1 && tree !== "") return { conflicts: [...new Set(names)] };
  if (!succeeded(result)) throw new Error(`git cannot merge ${ours} and ${theirs}: ${problemOf(result)}`);
  return { tree };
}

/** The first parent is the branch that the commit continues. */
export async function commitTree(
  cwd: string,
  tree: string,
  parents: readonly string[],
  message: string,
  options: Pick<GitOptions, "gitDir"> = {},
): Promise<string> {
  const args = ["commit-tree", ...parents.flatMap((parent) => ["-p", parent]), "-F", "-", tree];
  return (await gitOutput(cwd, args, "git cannot commit", { ...options, commits: true, input: message })).trim();
}

/** Whether a branch contains a commit. It does not contain an unknown one. */
export async function contains(cwd: string, branch: string, commit: string): Promise<boolean> {
  const result = await git(cwd, ["merge-base", "--is-ancestor", "--end-of-options", commit, branch]);
  if (succeeded(result)) return true;
  // A failure must not pass for "not there": the work would be done twice.
  if (result.exitCode === 1 || /not a valid (commit|object) name/i.test(result.output)) return false;
  throw new Error(`git cannot tell whether ${branch} contains ${commit}: ${problemOf(result)}`);
}

export const treeOf = (cwd: string, commit: string): Promise<string> => objectOf(cwd, `${commit}^{tree}`);

export const firstParentOf = (cwd: string, commit: string): Promise<string> => objectOf(cwd, `${commit}^1`);

async function objectOf(cwd: string, name: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", name];
  return (await gitOutput(cwd, args, `there is no commit ${name} in ${cwd}`)).trim();
}
