// Merges without a working tree: two commits in, and out comes a tree, or the files that conflict.

import { type CommitAuthor, type GitOptions, git, gitOutput, linesOf, problemOf, succeeded } from "./git.js";

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

/** The merged tree in any case: where both sides changed the same lines, the files hold git's conflict markers. */
export async function mergeWithMarkers(cwd: string, ours: string, theirs: string): Promise<string> {
  const result = await git(cwd, ["merge-tree", "--write-tree", "-z", "--no-messages", "--", ours, theirs]);
  const [tree = ""] = result.stdout.split("\0");
  if (tree === "") throw new Error(`git cannot merge ${ours} and ${theirs}: ${problemOf(result)}`);
  return tree;
}

/** The second parent of a merge commit. Null if it is none. */
export async function secondParentOf(cwd: string, commit: string): Promise<string | null> {
  const args = ["rev-list", "--parents", "--max-count=1", "--end-of-options", commit];
  return (await gitOutput(cwd, args, `there is no commit ${commit}`)).trim().split(" ")[2] ?? null;
}

/** The first parent is the branch that the commit continues. */
export async function commitTree(
  cwd: string,
  tree: string,
  parents: readonly string[],
  message: string,
  { sign = false, ...options }: Pick<GitOptions, "gitDir" | "author"> & { readonly sign?: boolean } = {},
): Promise<string> {
  const signed = sign ? ["-S"] : [];
  const args = ["commit-tree", ...signed, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-", tree];
  // The key and the program that signs are in the user's own settings.
  const how = { ...options, commits: true, input: message, hooks: sign };
  return (await gitOutput(cwd, args, `git cannot ${sign ? "make a signed commit" : "commit"}`, how)).trim();
}

/**
 * Puts the commits of `tip` that `onto` lacks on top of it, one by one. Merges are left out: they only bring in what `onto`
 * has. A commit that would change nothing there is left out, too.
 */
export async function rebaseOnto(
  cwd: string,
  onto: string,
  tip: string,
  { sign = false }: { readonly sign?: boolean } = {},
): Promise<{ readonly commit: string } | { readonly conflicts: readonly string[]; readonly at: string }> {
  const args = ["rev-list", "--reverse", "--topo-order", "--no-merges", tip, `^${onto}`, "--"];
  let commit = onto;
  for (const each of linesOf(await gitOutput(cwd, args, "git cannot list commits"))) {
    const parent = await firstParentOf(cwd, each);
    // A commit with the tree of `onto` beside `each`: the merge of the two is `each` on top of `onto`.
    const beside = await commitTree(cwd, await treeOf(cwd, commit), [parent], "beside");
    const merge = await mergeTrees(cwd, beside, each);
    if ("conflicts" in merge) return { conflicts: merge.conflicts, at: each };
    if (merge.tree === (await treeOf(cwd, commit))) continue;
    const { author, message } = await aboutCommit(cwd, each);
    commit = await commitTree(cwd, merge.tree, [commit], message, { author, sign });
  }
  return { commit };
}

async function aboutCommit(cwd: string, commit: string): Promise<{ author: CommitAuthor; message: string }> {
  const args = ["log", "-1", "--format=%an%x00%ae%x00%aI%x00%B", "--end-of-options", commit];
  const [name = "", email = "", date = "", message = ""] = (
    await gitOutput(cwd, args, "git cannot read a commit")
  ).split("\0");
  return { author: { name, email, date }, message: message.trimEnd() };
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
