// Merges without a working tree: two commits in, and out comes a tree, or the files that conflict.

import { type CommitAuthor, type GitOptions, git, gitOutput, linesOf, problemOf, succeeded } from "./git.js";
import { readLooseObject } from "./loose-object.js";
import { findRepository, forgetOldest, isCommit } from "./repository.js";

export type Merge = { readonly tree: string } | { readonly conflicts: readonly string[] };

/** Merges `theirs` into `ours`. Writes nothing but objects. */
export async function mergeTrees(cwd: string, ours: string, theirs: string): Promise<Merge> {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", "--", ours, theirs];
  const result = await git(cwd, args);
  const [tree = "", ...names] = result.stdout.split("\0").filter((part) => part !== "");
  // An unknown commit has the exit code of a conflict, but no tree.
  if (result.exitCode === 1 && tree !== "") return { conflicts: [...new Set(names)] };
  // The first commit was replaced. What would merge cleanly could bring back files that one side deleted, so a person looks.
  if (/unrelated histories/.test(result.output))
    return { conflicts: ["everything, because they have no commit in common"] };
  if (!succeeded(result)) throw new Error(`git cannot merge ${ours} and ${theirs}: ${problemOf(result)}`);
  return { tree };
}

/** The merged tree in any case: where both sides changed the same lines, the files hold git's conflict markers. */
export async function mergeWithMarkers(cwd: string, ours: string, theirs: string): Promise<string> {
  const result = await git(cwd, [
    "merge-tree",
    "--write-tree",
    "-z",
    "--no-messages",
    "--allow-unrelated-histories",
    "--",
    ours,
    theirs,
  ]);
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

/** By repository and commit: no commit ever gets another tree. Handing in asks three times, and each git takes 4 ms. */
const trees = new Map<string, Promise<string>>();
const TREES_REMEMBERED = 200;

export async function treeOf(cwd: string, commit: string): Promise<string> {
  if (!isCommit(commit)) return objectOf(cwd, `${commit}^{tree}`);
  const key = `${cwd}\0${commit}`;
  const known = trees.get(key) ?? readTree(cwd, commit);
  trees.set(key, known);
  forgetOldest(trees, TREES_REMEMBERED);
  known.catch(() => trees.delete(key));
  return known;
}

async function readTree(cwd: string, commit: string): Promise<string> {
  const repository = findRepository(cwd);
  const text = repository && readLooseObject(repository, commit, "commit");
  return /^tree ([0-9a-f]+)\n/.exec(text ?? "")?.[1] ?? (await objectOf(cwd, `${commit}^{tree}`));
}

export const firstParentOf = (cwd: string, commit: string): Promise<string> => objectOf(cwd, `${commit}^1`);

async function objectOf(cwd: string, name: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", name];
  return (await gitOutput(cwd, args, `there is no commit ${name} in ${cwd}`)).trim();
}

export type Presence =
  /** The same commits. */
  | { readonly how: "contained" }
  /** For each commit, one with the same change. */
  | { readonly how: "rebased" }
  /** One commit with the changes of all of them together. */
  | { readonly how: "squashed"; readonly commit: string }
  /** Merging it would change nothing. We do not know which commits brought it. */
  | { readonly how: "absorbed" };

/** How many commits back we look for a squashed one. */
const RECENT = "1000";

/** Null if something of `tip` is missing from `branch`. */
export async function presenceIn(cwd: string, branch: string, tip: string): Promise<Presence | null> {
  if (await contains(cwd, branch, tip)) return { how: "contained" };
  if (await isRebased(cwd, branch, tip)) return { how: "rebased" };
  const commit = await squashOf(cwd, branch, tip);
  if (commit !== null) return { how: "squashed", commit };
  const merge = await mergeTrees(cwd, branch, tip);
  return "tree" in merge && merge.tree === (await treeOf(cwd, branch)) ? { how: "absorbed" } : null;
}

/** A failure must not pass for "not there": the work would be merged twice. */
const ask = (cwd: string, args: readonly string[], input?: string): Promise<string> =>
  gitOutput(cwd, args, `git ${args[0]} failed in ${cwd}`, { input });

/** `git cherry` marks a commit that has an equal with a minus. It skips merges, so there must be none. */
async function isRebased(cwd: string, branch: string, tip: string): Promise<boolean> {
  if ((await ask(cwd, ["rev-list", "--merges", "--max-count=1", tip, `^${branch}`, "--"])) !== "") return false;
  const lines = linesOf(await ask(cwd, ["cherry", branch, tip]));
  return lines.length > 0 && lines.every((line) => line.startsWith("-"));
}

const PATCH = ["-p", "--no-renames", "--full-index", "--binary", "--no-ext-diff", "--no-textconv", "--no-color"];

async function squashOf(cwd: string, branch: string, tip: string): Promise<string | null> {
  const common = await git(cwd, ["merge-base", branch, tip]);
  // They have nothing in common.
  if (common.exitCode === 1) return null;
  if (!succeeded(common)) throw new Error(`git cannot compare ${branch} and ${tip}: ${problemOf(common)}`);
  const base = common.stdout.trim();
  const [whole] = await patchIds(cwd, await ask(cwd, ["diff-tree", ...PATCH, base, tip, "--"]));
  if (whole === undefined) return null;
  const recent = ["--no-merges", `--max-count=${RECENT}`, "--format=commit %H", `${base}..${branch}`, "--"];
  const single = await patchIds(cwd, await ask(cwd, ["log", ...PATCH, ...recent]));
  return single.find(({ id }) => id === whole.id)?.commit ?? null;
}

async function patchIds(cwd: string, patch: string): Promise<{ id: string; commit: string }[]> {
  if (patch === "") return [];
  const lines = linesOf(await ask(cwd, ["patch-id", "--stable"], patch));
  return lines.map((line) => line.split(" ")).map(([id = "", commit = ""]) => ({ id, commit }));
}

/** The commit of a branch that brought a commit onto it: the merge, or the commit itself after a fast-forward. */
export async function arrivalOf(cwd: string, branch: string, commit: string): Promise<string> {
  const between = await ask(cwd, ["rev-list", "--first-parent", "--ancestry-path", `${commit}..${branch}`, "--"]);
  const first = linesOf(between).at(-1);
  return first === undefined || (await firstParentOf(cwd, first)) === commit ? commit : first;
}

/** What the first commit of a row is made on, that ends with this one and in which each is made for one of the tasks. */
export async function startOfRow(cwd: string, commit: string, tasks: ReadonlySet<string>): Promise<string> {
  const format = "--format=%H %(trailers:key=Planwright-Task,valueonly,separator=%x20)";
  const log = await ask(cwd, ["log", "--first-parent", `--max-count=${RECENT}`, format, commit, "--"]);
  for (const [hash = "", ...made] of linesOf(log).map((line) => line.split(" "))) {
    if (!made.some((task) => tasks.has(task))) return hash === commit ? firstParentOf(cwd, commit) : hash;
  }
  return firstParentOf(cwd, commit);
}

// Which commits a branch lacks.

/** How many commits fit on one command line. */
const AT_ONCE = 500;

/** What git says about an unknown name. Other failures mean that it could not look. */
const UNKNOWN = /bad (revision|object)|unknown revision/i;

/** Null if one of the names is unknown, or if there is no repository. */
async function revisions(cwd: string, args: readonly string[]): Promise<Set<string> | null> {
  const result = await git(cwd, ["rev-list", ...args, "--"]);
  if (succeeded(result)) return new Set(result.stdout.split("\n"));
  if (UNKNOWN.test(result.output) || !findRepository(cwd)) return null;
  throw new Error(`git cannot look at the commits of ${cwd}: ${problemOf(result)}`);
}

/** The commits that the branch lacks or the repository does not know. All of them if there is no such branch. */
export async function missingFrom(cwd: string, branch: string, commits: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (let i = 0; i < commits.length; i += AT_ONCE) {
    const batch = commits.slice(i, i + AT_ONCE);
    const known = await revisions(cwd, ["--no-walk=unsorted", ...batch]);
    const absent = known && (await revisions(cwd, [...batch, `^${branch}`]));
    missing.push(...batch.filter((commit) => !known?.has(commit) || !absent || absent.has(commit)));
  }
  return missing;
}

export interface CommitNote {
  readonly commit: string;
  readonly author: string;
  readonly subject: string;
}

/** More than anybody reads. */
const MAX_NOTES = 1000;

/** The commits that one branch has and another has not, without merges. */
export async function commitsBetween(cwd: string, from: string, to: string): Promise<CommitNote[]> {
  const args = ["log", "-z", "--no-merges", "--min-parents=1", `--max-count=${MAX_NOTES}`, "--format=%H%x01%an%x01%s"];
  const output = await gitOutput(cwd, [...args, "--end-of-options", `${from}..${to}`, "--"], `git cannot list ${to}`);
  return output.split("\0").flatMap((line) => {
    const [commit = "", author = "", subject = ""] = line.split("\u0001");
    return commit === "" ? [] : [{ commit, author, subject }];
  });
}
