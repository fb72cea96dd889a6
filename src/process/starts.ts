// How many processes the system has started within a while. It gives out their numbers in turn, and begins anew after the
// highest: only while fewer were started than there are numbers does a number tell which process is younger.

import { readFileSync } from "node:fs";

/** More than any machine starts in a second. */
const STARTS_PER_SECOND = 100_000;

const mostWithin = (ms: number): number => (ms / 1000) * STARTS_PER_SECOND;

/** With threads, and with those of other spaces of numbers; undefined where the system does not tell (Linux does). */
function startsSoFar(): number | undefined {
  try {
    const found = /^processes (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

interface Count {
  readonly at: number;
  readonly starts: number;
}

const EVERY_MS = 1_000;
const REMEMBERED = 600;
/** Between the beginning of a command and the count that goes with it. */
const LATE_MS = 10;

export class Starts {
  /** Since the system began, second by second. */
  readonly #counts: Count[] = [];

  /** To be called when something begins: later it can be told how many began since. */
  count(): void {
    const at = performance.now();
    const last = this.#counts.at(-1);
    if (last && at - last.at < EVERY_MS) return;
    const starts = startsSoFar();
    if (starts === undefined) return;
    this.#counts.push({ at, starts });
    if (this.#counts.length > REMEMBERED) this.#counts.shift();
  }

  /**
   * Whether fewer than so many have been started meanwhile, as far as the system counts: a number that a refused start has
   * used up is not counted. Only what took a while is counted.
   */
  areFewer(than: number, sinceMs: number): boolean {
    if (mostWithin(sinceMs + LATE_MS) < than) return true;
    const begun = performance.now() - sinceMs + LATE_MS;
    const before = this.#counts.findLast(({ at }) => at <= begun);
    const now = before && startsSoFar();
    return before !== undefined && now !== undefined && now - before.starts + mostWithin(LATE_MS) < than;
  }
}
