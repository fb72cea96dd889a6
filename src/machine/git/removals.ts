// A program that removes worktrees says so in a file of its own before it looks which are in use. Whoever was given one looks for such
// files before it begins there: either it sees the file and waits, or the other one sees that the worktree is in use. So neither needs
// the lock of the store for work on files.

import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { clockMs } from "../process/clock.js";

/** This program, and whether another one runs. */
export interface Programs {
  readonly process: string;
  readonly isAlive: (driver: string) => boolean;
}

const hostOf = (driver: string): string => driver.slice(0, driver.lastIndexOf("/"));

/** Whether a program on another machine is alive cannot be known, so it is not waited for. */
export const mayStillWrite = ({ process, isAlive }: Programs, driver: string): boolean =>
  driver === process || (hostOf(driver) === hostOf(process) && isAlive(driver));

/** How long a file that a program elsewhere just made counts as its own: longer than it takes to rename a few folders. */
const FRESH_MS = 30_000;

/** The same for who has just left a file: one on another machine runs as long as the file is fresh. */
export const isAtWork = (programs: Programs, driver: string, ageMs: number): boolean =>
  mayStillWrite(programs, driver) || (hostOf(driver) !== hostOf(programs.process) && ageMs < FRESH_MS);

const REMOVING = /^removing-(.+)-\d+$/;
let removals = 0;

const LOOK_MS = 10;

/** Files whose names hold a program that runs, as the first group of the pattern. What a killed program left is removed. */
export function marksIn(folder: string, pattern: RegExp, runs: (driver: string, ageMs: number) => boolean): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => {
    const driver = pattern.exec(name)?.[1];
    if (driver === undefined) return false;
    const mark = join(folder, name);
    const made = statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
    const isCurrent = made !== undefined && runs(decodeURIComponent(driver), Date.now() - made);
    if (!isCurrent) rmSync(mark, { force: true });
    return isCurrent;
  });
}

export const removalsIn = (folder: string, programs: Programs): string[] =>
  marksIn(folder, REMOVING, (driver, ageMs) => isAtWork(programs, driver, ageMs));

/** `remove` looks which worktrees in the folder are in use, and moves the others away. */
export async function whileRemoving<T>(
  folder: string,
  { process }: Pick<Programs, "process">,
  remove: () => Promise<T>,
): Promise<T> {
  const mark = join(folder, `removing-${encodeURIComponent(process)}-${++removals}`);
  writeFileSync(mark, "");
  try {
    return await remove();
  } finally {
    rmSync(mark, { force: true });
  }
}

/** Waits for programs that remove worktrees and may not have seen that one is in use. It throws if that takes too long. */
export async function waitForRemovals(folder: string, programs: Programs, signal?: AbortSignal): Promise<void> {
  const until = clockMs() + FRESH_MS;
  for (let [first] = removalsIn(folder, programs); first !== undefined; [first] = removalsIn(folder, programs)) {
    if (signal?.aborted) return;
    if (clockMs() > until) throw new Error(`another program has been removing worktrees for long (${first}).`);
    await wait(LOOK_MS);
  }
}
