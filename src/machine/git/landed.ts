// Whether the work of a branch is in another branch: merged, rebased commit by commit, or squashed into one commit.

import { git, gitOutput, linesOf, problemOf, succeeded } from "./git.js";
import { contains, mergeTrees, treeOf } from "./merge.js";
import { findRepository } from "./repository.js";

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
  const args = [
    "log",
    ...PATCH,
    "--no-merges",
    `--max-count=${RECENT}`,
    "--format=commit %H",
    `${base}..${branch}`,
    "--",
  ];
  const single = await patchIds(cwd, await ask(cwd, args));
  return single.find(({ id }) => id === whole.id)?.commit ?? null;
}

async function patchIds(cwd: string, patch: string): Promise<{ id: string; commit: string }[]> {
  if (patch === "") return [];
  const lines = linesOf(await ask(cwd, ["patch-id", "--stable"], patch));
  return lines.map((line) => ({ id: line.slice(0, line.indexOf(" ")), commit: line.slice(line.indexOf(" ") + 1) }));
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
