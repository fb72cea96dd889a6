// Locks on refs. Git holds one for milliseconds; one that stays is what a git that was killed has left, and would stop every
// change of that ref for ever.

import { type Dirent, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../base/errors.js";
import { isInside, namesInFolder } from "../../base/paths.js";
import { administrations, findRepository, headBranch, type Repository, readLine } from "./repository.js";

/** Of a ref that only this program moves, of the list of all, or while no git program runs in the repository. */
const STALE_MS = 10_000;
/** For a lock of another program while a git program runs: it may hold the lock during a hook. */
const FOREIGN_STALE_MS = 120_000;
const LOOK_MS = 50;

/** Where only this program keeps refs. */
const OWN = ["refs/heads/planwright", "refs/planwright"];

/** The lock that git complained of. */
export const lockIn = (output: string): string | undefined =>
  /unable to create '(.+\.lock)': file exists/i.exec(output)?.[1];

const isOwn = (lock: string): boolean =>
  lock.endsWith("/packed-refs.lock") || OWN.some((folder) => lock.includes(`/${folder}/`));

function removeStale(repository: Repository, lock: string): void {
  const found = statSync(lock, { throwIfNoEntry: false });
  const age = found ? Date.now() - found.mtimeMs : 0;
  if (!found || age <= STALE_MS) return;
  if (isOwn(lock) || age > FOREIGN_STALE_MS || !isGitRunning(repository, found.uid)) rmSync(lock, { force: true });
}

/** Settles after a moment, when its holder has had time to release it; a lock without a holder is removed. */
export async function lockGone(cwd: string, lock: string): Promise<void> {
  const repository = findRepository(cwd);
  if (repository) removeStale(repository, lock);
  await new Promise((wake) => setTimeout(wake, LOOK_MS));
}

/** Takes away what killed programs have left on this program's own refs, and on those that a landing moves. */
export function removeStaleLocks(cwd: string): void {
  const repository = findRepository(cwd);
  if (!repository) return;
  const { commonDir } = repository;
  const main = headBranch({ ...repository, gitDir: commonDir }) ?? "HEAD";
  const moved = ["packed-refs", "HEAD", "refs/heads/main", "refs/heads/master", main];
  for (const name of new Set(moved)) removeStale(repository, join(commonDir, `${name}.lock`));
  for (const lock of OWN.flatMap((folder) => locksBelow(join(commonDir, folder)))) removeStale(repository, lock);
}

/**
 * Whether a git program of this user works in one of the repository's folders. It may, where the system does not tell (Linux
 * does). Programs of others cannot hold a lock of this user, and where they work nobody tells us.
 */
function isGitRunning({ main, commonDir }: Repository, user: number): boolean {
  const links = administrations({ commonDir }).map((admin) => readLine(join(admin, "gitdir")));
  const folders = [main, commonDir, ...links.flatMap((link) => (link === undefined ? [] : [dirname(link)]))];
  const processes = namesInFolder("/proc").filter((name) => /^\d+$/.test(name));
  if (processes.length === 0) return true;
  return processes.some((pid) => {
    if (!readLine(`/proc/${pid}/comm`)?.startsWith("git") || userOf(pid) !== user) return false;
    const folder = folderOf(pid);
    return folder === undefined || (folder !== "" && folders.some((each) => isInside(folder, each)));
  });
}

/** Undefined if the process has ended. */
const userOf = (pid: string): number | undefined => {
  try {
    return statSync(`/proc/${pid}`).uid;
  } catch {
    return undefined;
  }
};

/** Undefined if it may not be known; empty if the process has ended. */
function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch (error) {
    return codeOf(error) === "EACCES" ? undefined : "";
  }
}

function locksBelow(folder: string): string[] {
  let entries: Dirent[] = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // There is none.
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? locksBelow(path) : path.endsWith(".lock") ? [path] : [];
  });
}
