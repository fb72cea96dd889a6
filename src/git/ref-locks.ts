// Locks on refs. Git holds one for milliseconds; one that stays is what a git that was killed has left, and would stop every
// change of that ref for ever.

import { type Dirent, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { findRepository } from "./repository.js";

/** Of a ref that only this program moves, or of the list of all. */
const STALE_MS = 10_000;
/** Of anybody else's: a hook may run while it is held. */
const FOREIGN_STALE_MS = 120_000;
const LOOK_MS = 50;

/** Where only this program keeps refs. */
const OWN = ["refs/heads/planwright", "refs/planwright"];

/** The lock that git complained of. */
export const lockIn = (output: string): string | undefined =>
  /unable to create '(.+\.lock)': file exists/i.exec(output)?.[1];

const isOwn = (lock: string): boolean =>
  lock.endsWith("/packed-refs.lock") || OWN.some((folder) => lock.includes(`/${folder}/`));

/** Null if there is none. */
function ageOf(lock: string): number | null {
  const stat = statSync(lock, { throwIfNoEntry: false });
  return stat ? Date.now() - stat.mtimeMs : null;
}

function removeStale(lock: string): void {
  const age = ageOf(lock);
  if (age !== null && age > (isOwn(lock) ? STALE_MS : FOREIGN_STALE_MS)) rmSync(lock, { force: true });
}

/** Settles after a moment, when whoever holds it has had time to let go; one that nobody holds is taken away. */
export async function lockGone(lock: string): Promise<void> {
  removeStale(lock);
  await new Promise((wake) => setTimeout(wake, LOOK_MS));
}

/** Takes away what killed programs have left on this program's own refs. */
export function removeStaleLocks(cwd: string): void {
  const repository = findRepository(cwd);
  if (!repository) return;
  removeStale(join(repository.commonDir, "packed-refs.lock"));
  for (const folder of OWN) {
    for (const lock of locksBelow(join(repository.commonDir, folder))) removeStale(lock);
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
