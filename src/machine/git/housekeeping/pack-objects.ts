// Packs loose objects, as git's own maintenance does, but removes nothing: unreachable objects go into a pack of their own, and
// reflogs, worktrees and refs stay as they are. What to prune, and when, is left to the user's git.

import { type GitOptions, git, gitOutput, linesOf, succeeded } from "../git.js";

/** What git itself uses unless it is told otherwise. */
const LOOSE_LIMIT = 6700;
const PACK_LIMIT = 50;

const REMOVE_NOTHING = [
  "gc.pruneExpire=never",
  "gc.reflogExpire=never",
  "gc.reflogExpireUnreachable=never",
  "gc.worktreePruneExpire=never",
  "gc.rerereResolved=never",
  "gc.rerereUnresolved=never",
  "gc.packRefs=false",
].flatMap((setting) => ["-c", setting]);

async function count(root: string) {
  const text = await gitOutput(root, ["count-objects", "-v"], "git cannot count its objects");
  const figure = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(text)?.[1] ?? 0);
  return { loose: figure("count"), packs: figure("packs") };
}

/** The user's value: ours, on the command line, comes last. 0 means never. */
async function limitOf(root: string, key: string, otherwise: number, ours: number): Promise<number> {
  const result = await git(root, ["config", "--type=int", "--get-all", key]);
  const value = succeeded(result) ? linesOf(result.stdout).at(-1 - ours) : undefined;
  return value === undefined ? otherwise : Number(value);
}

/**
 * Only looks, if `dryRun`. `loose`: loose objects before; `left`: those afterwards. `due`: there are more loose objects or packs than
 * git's limits allow. Objects that another program writes meanwhile are safe.
 */
export async function packObjects(
  root: string,
  { dryRun = false, signal }: { readonly dryRun?: boolean; readonly signal?: AbortSignal | undefined } = {},
) {
  const { loose, packs } = await count(root);
  const most = await limitOf(root, "gc.auto", LOOSE_LIMIT, 1);
  const mostPacks = await limitOf(root, "gc.autoPackLimit", PACK_LIMIT, 0);
  const tooManyPacks = mostPacks > 0 && packs > mostPacks;
  const due = most > 0 && (loose > most || tooManyPacks);
  if (!due || dryRun) return { loose, due, left: loose };
  const options: GitOptions = { signal };
  // Quick: one more pack with the new objects that a ref leads to.
  await git(root, ["repack", "-d", "-l", "-q"], options);
  if (tooManyPacks || (await count(root)).loose > most) {
    // Versions of git that do not know --cruft refuse it at once, and the objects stay loose.
    await git(root, [...REMOVE_NOTHING, "gc", "--cruft", "--quiet"], options);
  }
  return { loose, due, left: (await count(root)).loose };
}
