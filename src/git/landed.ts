// Whether a branch's work is in another, however it came there: merged, rebased commit by commit, or squashed into one.

import { git, problemOf, succeeded } from "./git.js";
import { contains, mergeTrees, treeOf } from "./merge.js";

export type Presence =
  /** The very commits. */
  | { readonly how: "contained" }
  /** For each commit, one that changes the same. */
  | { readonly how: "rebased" }
  /** One commit that changes the same as all of them together. */
  | { readonly how: "squashed"; readonly commit: string }
  /** Merging it would change nothing: what it does is there, nobody knows through which commits. */
  | { readonly how: "absorbed" };

/** How far back a squashed commit is looked for. */
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

/** What git could not look for must not be taken for missing: it would be merged twice. */
async function ask(cwd: string, args: readonly string[], input?: string): Promise<string> {
  const result = await git(cwd, args, input === undefined ? {} : { input });
  if (!succeeded(result)) throw new Error(`git ${args[0]} failed in ${cwd}: ${problemOf(result)}`);
  return result.stdout;
}

const linesOf = (output: string): string[] => output.split("\n").filter((line) => line !== "");

/** `git cherry` marks a commit that has its like with a minus. It leaves merges out, so they must not be there. */
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
  if (!succeeded(common)) throw new Error(`${branch} and ${tip} cannot be compared: ${problemOf(common)}`);
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
