// A copy of a carried folder that many worktrees share: no command ever writes to it, so a sandbox can lay it over an empty folder. It is
// made and compared with its source once for each state of the lock files.

import { createHash } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { cp, lstat, mkdir, readdir, readlink, realpath, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownName } from "../git/working-tree.js";
import { CACHES, copyFolder, digest, isCarriedFolder, locksOf, removeCaches } from "./carry-inputs.js";

interface CopyInput {
  /** The main checkout. */
  readonly root: string;
  readonly worktree: string;
  /** Relative to both. */
  readonly path: string;
  /** Where the copies are, outside of all worktrees. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

const CARRIED = /^carried-/;

/** What package managers write when they have finished. */
const MARKS = ["", ".package-lock.json", ".modules.yaml", ".yarn-state.yml", ".yarn-integrity"];

async function keyOf({ root, path }: CopyInput): Promise<string> {
  const times = MARKS.map(async (name) => {
    const found = await lstat(join(root, path, name), { bigint: true }).catch(() => undefined);
    return found === undefined ? "" : `${found.mtimeNs} ${found.size}`;
  });
  return digest(path, locksOf(root, path), ...(await Promise.all(times))).slice(0, 24);
}

/** Undefined if there is nothing that can be shared: then it is carried like a file. */
async function sharedCopy(input: CopyInput): Promise<string | undefined> {
  const { root, worktree, path, folder } = input;
  if (locksOf(root, path) !== locksOf(worktree, path) || !(await isCarriedFolder(input))) return undefined;
  const copy = join(folder, `carried-${await keyOf(input)}`);
  if (!existsSync(copy) && !(await makeCopy(input, copy))) return undefined;
  const now = new Date();
  // Says that it is in use, see `removeUnusedCopies`.
  await utimes(copy, now, now).catch(() => undefined);
  return copy;
}

/** `at`: where a command sees it. */
interface LaidFolder {
  readonly at: string;
  readonly from: string;
  readonly access: "read" | "write";
}

export interface SharedFolders {
  readonly paths: readonly string[];
  readonly mounts: readonly LaidFolder[];
}

export const NOTHING_SHARED: SharedFolders = { paths: [], mounts: [] };

/** Lays carried folders into a worktree, to be read, with caches of its own in them. `cache`: a folder that is only this worktree's. */
export async function shareFolders(
  carry: readonly string[],
  { cache, ...input }: Omit<CopyInput, "path"> & { readonly cache: string },
): Promise<SharedFolders> {
  const { worktree } = input;
  const [paths, mounts]: [string[], LaidFolder[]] = [[], []];
  for (const path of carry) {
    const from = await sharedCopy({ ...input, path });
    if (from === undefined) continue;
    const at = join(worktree, path);
    await mkdir(at, { recursive: true });
    paths.push(path);
    mounts.push({ at, from, access: "read" });
    for (const name of CACHES) {
      const own = join(cache, "carried", String(paths.length), name);
      await mkdir(own, { recursive: true });
      mounts.push({ at: join(at, name), from: own, access: "write" });
    }
  }
  return { paths, mounts };
}

/** Made elsewhere and then renamed: another program never sees half of it. */
async function makeCopy(input: CopyInput, copy: string): Promise<boolean> {
  const { root, path, folder, signal } = input;
  // Another attempt of this program may make the same one now.
  const making = ownName(copy);
  await mkdir(folder, { recursive: true });
  try {
    const source = await realpath(join(root, path));
    const trouble = await copyFolder(source, making, signal);
    // What changed meanwhile is not what the lock files say.
    if (trouble !== undefined || (await listingOf(source)) !== (await listingOf(making))) return false;
    await removeCaches(making);
    // Where the caches go: a read-only folder has no room for more.
    for (const name of CACHES) await mkdir(join(making, name), { recursive: true });
    await rename(making, copy).catch(() => undefined);
    return existsSync(copy);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

const clones = new Map<string, Promise<boolean>>();

/** Whether files that are the same share their place on the disk: then each worktree has a copy of its own for next to nothing. */
export function sharesBlocks(folder: string): Promise<boolean> {
  const known = clones.get(folder) ?? tryClone(folder);
  clones.set(folder, known);
  return known;
}

async function tryClone(folder: string): Promise<boolean> {
  const file = join(folder, `carried-probe.${process.pid}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, "x");
    await cp(file, `${file}.copy`, { mode: constants.COPYFILE_FICLONE_FORCE });
    return true;
  } catch {
    return false;
  } finally {
    for (const path of [file, `${file}.copy`]) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Names, kinds, sizes and modes of all that is in it, caches aside. */
async function listingOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const visit = async (at: string, name: string): Promise<void> => {
    const found = await lstat(at);
    const what = found.isSymbolicLink() ? await readlink(at) : found.isDirectory() ? "" : String(found.size);
    hash.update(`${JSON.stringify([name, found.mode, what])}\n`);
    if (!found.isDirectory()) return;
    for (const entry of (await readdir(at)).toSorted()) {
      if (name !== "" || !CACHES.includes(entry)) await visit(join(at, entry), `${name}/${entry}`);
    }
  };
  await visit(folder, "");
  return hash.digest("hex");
}

/** The newest ones may be needed again; the others go when no worktree is in use. */
export async function removeUnusedCopies(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => CARRIED.test(name));
  const found = await Promise.all(
    names.map(async (name) => ({ name, at: (await lstat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  for (const { name } of found.sort((a, b) => b.at - a.at).slice(keep)) {
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}
