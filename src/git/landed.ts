// Whether a branch's work is in another, however it came there: merged, rebased commit by commit, or squashed into one.

import { git, succeeded } from "./git.js";
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

/** `git cherry` marks a commit that has its like with a minus. It leaves merges out, so they must not be there. */
async function isRebased(cwd: string, branch: string, tip: string): Promise<boolean> {
  const merges = await git(cwd, ["rev-list", "--merges", "--max-count=1", tip, `^${branch}`, "--"]);
  const { exitCode, stdout } = await git(cwd, ["cherry", branch, tip]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return (
    exitCode === 0 &&
    succeeded(merges) &&
    merges.stdout === "" &&
    lines.length > 0 &&
    lines.every((line) => line.startsWith("-"))
  );
}

const PATCH = ["-p", "--no-renames", "--full-index", "--binary", "--no-ext-diff", "--no-textconv", "--no-color"];

async function squashOf(cwd: string, branch: string, tip: string): Promise<string | null> {
  const base = (await git(cwd, ["merge-base", branch, tip])).stdout.trim();
  if (base === "") return null;
  const [whole] = await patchIds(cwd, await git(cwd, ["diff-tree", ...PATCH, base, tip, "--"]));
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
  const single = await patchIds(cwd, await git(cwd, args));
  return single.find(({ id }) => id === whole.id)?.commit ?? null;
}

async function patchIds(
  cwd: string,
  patch: Awaited<ReturnType<typeof git>>,
): Promise<{ id: string; commit: string }[]> {
  if (!succeeded(patch) || patch.stdout === "") return [];
  const { stdout } = await git(cwd, ["patch-id", "--stable"], { input: patch.stdout });
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => ({ id: line.slice(0, line.indexOf(" ")), commit: line.slice(line.indexOf(" ") + 1) }));
}
