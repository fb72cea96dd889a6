// Merging without a working tree: two commits in, one tree out, or the files that do not merge.

import { type GitOptions, git, problemOf, succeeded } from "./git.js";

/** Git's own failures are no conflicts: an unknown commit, a full disk. */
class GitFault extends Error {}

export type Merge = { readonly tree: string } | { readonly conflicts: readonly string[] };

/** `theirs` into `ours`. Nothing is written but objects. */
export async function mergeTrees(cwd: string, ours: string, theirs: string): Promise<Merge> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", "--", ours, theirs];
  const result = await git(cwd, args);
  const [tree = "", ...names] = result.stdout.split("\0").filter((part) => part !== "");
  // An unknown commit ends it like a conflict does, but without a tree.
  if (result.exitCode === 1 && tree !== "") return { conflicts: [...new Set(names)] };
  if (!succeeded(result)) throw new GitFault(`${ours} and ${theirs} cannot be merged: ${problemOf(result)}`);
  return { tree };
}

/** The parents' order is the commit's: the first is the line that it stands on. */
export async function commitTree(
  cwd: string,
  tree: string,
  parents: readonly string[],
  message: string,
  options: Pick<GitOptions, "gitDir"> = {},
): Promise<string> {
  const args = ["commit-tree", ...parents.flatMap((parent) => ["-p", parent]), "-F", "-", tree];
  const result = await git(cwd, args, { ...options, commits: true, input: message });
  if (!succeeded(result)) throw new GitFault(`No commit could be made: ${problemOf(result)}`);
  return result.stdout.trim();
}

/** Whether a commit is in a branch; one that is unknown is not. */
export async function contains(cwd: string, branch: string, commit: string): Promise<boolean> {
  const result = await git(cwd, ["merge-base", "--is-ancestor", "--end-of-options", commit, branch]);
  if (succeeded(result)) return true;
  // Work that is there must never be taken for missing because git could not look: it would be done twice.
  if (result.exitCode === 1 || /not a valid (commit|object) name/i.test(result.output)) return false;
  throw new GitFault(`Whether ${branch} contains ${commit} could not be found out: ${problemOf(result)}`);
}

export async function treeOf(cwd: string, commit: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${commit}^{tree}`];
  const result = await git(cwd, args);
  if (!succeeded(result)) throw new GitFault(`There is no commit ${commit} in ${cwd}.`);
  return result.stdout.trim();
}
