// Brings one ignored path from the main checkout into a worktree: by copying, which costs next to nothing where the
// file system shares what is the same, or by links.

import { constants, existsSync } from "node:fs";
import { cp, lstat, mkdir, readdir, realpath, rm, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { messageOf } from "../../base/errors.js";
import { isInside } from "../checks/check-folder.js";
import { git } from "../git/git.js";
import { run } from "../process/run.js";

export interface CarryPath {
  /** The main checkout. */
  readonly root: string;
  readonly worktree: string;
  /** Relative to both. */
  readonly path: string;
  readonly by: "copy" | "link";
  readonly signal?: AbortSignal | undefined;
}

/** Nothing if it was carried, else why not. */
export type Problem = string | undefined;

const isKept = (path: string): boolean => [".git", ".planwright", "."].includes(path.split(sep)[0] ?? "");

/** Where it would go; undefined if that is no place for it. */
async function destination({ worktree, path }: CarryPath): Promise<string | undefined> {
  const clean = normalize(path);
  if (path === "" || path.includes("\0") || isAbsolute(clean) || isKept(clean)) return undefined;
  const to = join(worktree, clean);
  if (!isInside(to, worktree)) return undefined;
  // A folder on the way may be a link that leads out.
  for (let folder = dirname(to); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined) return isInside(real, await realpath(worktree)) ? to : undefined;
  }
}

/** What git would take for work must not be put there. A path with tracked files in it is not ignored either. */
async function isIgnored({ worktree, path }: CarryPath, isFolder: boolean): Promise<boolean> {
  const asked = isFolder ? `${normalize(path)}/` : normalize(path);
  const { exitCode } = await git(worktree, ["--no-literal-pathspecs", "check-ignore", "-q", "--", asked]);
  return exitCode === 0;
}

export async function carryPath(what: CarryPath): Promise<Problem> {
  const to = await destination(what);
  if (to === undefined) return `${JSON.stringify(what.path)} is not a path inside the worktree`;
  const from = await realpath(join(what.root, what.path)).catch(() => undefined);
  const found = from === undefined ? undefined : await lstat(from);
  if (found === undefined && !existsSync(to)) return undefined;
  if (!(await isIgnored(what, found?.isDirectory() ?? true))) {
    return `${what.path} is not ignored by git, so it would count as work`;
  }
  await rm(to, { recursive: true, force: true });
  if (from === undefined || found === undefined) return undefined;
  await mkdir(dirname(to), { recursive: true });
  if (what.by === "copy") return copy(from, to, what.signal);
  return found.isDirectory() ? linkEach(from, to) : symlink(from, to).then(() => undefined);
}

/**
 * A folder with a link for each entry, not one link: patterns such as `node_modules/` ignore folders only, and a package
 * manager that empties the folder removes links, not what they lead to.
 */
async function linkEach(from: string, to: string): Promise<Problem> {
  await mkdir(to);
  for (const name of await readdir(from)) await symlink(join(from, name), join(to, name));
  return undefined;
}

async function copy(from: string, to: string, signal: AbortSignal | undefined): Promise<Problem> {
  const args = ["-a", "--reflink=auto", "--", from, to];
  const copied = await run({ command: "cp", args, ...(signal ? { signal } : {}) });
  if (copied.exitCode === 0) return undefined;
  if (copied.endedBy === "cancel") return "it was canceled";
  // Only some systems have a `cp` that can do this.
  try {
    await rm(to, { recursive: true, force: true });
    const mode = constants.COPYFILE_FICLONE;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode });
    return undefined;
  } catch (error) {
    return `${to} could not be copied: ${messageOf(error)}`;
  }
}
