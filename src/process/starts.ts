// How many processes the system has started within a while. It gives out their numbers in turn, and begins anew after the
// highest: only while fewer were started than there are numbers does a number tell which process is younger.

import { readFileSync } from "node:fs";

/** More than any machine starts in a second. */
const STARTS_PER_SECOND = 100_000;

interface Count {
  readonly at: number;
  readonly starts: number;
}

/** Since the system began, second by second. */
const counts: Count[] = [];
const EVERY_MS = 1_000;
const REMEMBERED = 600;
/** Between the beginning of a command and the count that goes with it. */
const LATE_MS = 10;

/** With threads, and with those of other spaces of numbers; undefined where the system does not tell (Linux does). */
function startsSoFar(): number | undefined {
  try {
    const found = /^processes (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

/** To be called when something begins: later it can be told how many began since. */
export function countStarts(): void {
  const at = performance.now();
  const last = counts.at(-1);
  if (last && at - last.at < EVERY_MS) return;
  const starts = startsSoFar();
  if (starts === undefined) return;
  counts.push({ at, starts });
  if (counts.length > REMEMBERED) counts.shift();
}

const mostWithin = (ms: number): number => (ms / 1000) * STARTS_PER_SECOND;

/** Whether it is certain that fewer than so many have been started meanwhile. Only what took a while has to be counted. */
export function areFewer(than: number, sinceMs: number): boolean {
  if (mostWithin(sinceMs + LATE_MS) < than) return true;
  const begun = performance.now() - sinceMs + LATE_MS;
  const before = counts.findLast(({ at }) => at <= begun);
  const now = before && startsSoFar();
  return before !== undefined && now !== undefined && now - before.starts + mostWithin(LATE_MS) < than;
}
