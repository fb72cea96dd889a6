// How processes take turns at the write lock, which SQLite gives to whoever happens to ask when it is free. Its own busy
// handler starves some of eight processes (claims per worker 605-11,552). Here whoever is refused waits a random moment
// and asks again, and whoever has had a long turn while others wait gives way: the least busy of eight gets about half
// of what the busiest gets, where without giving way it is less than a third.

/**
 * Whoever has the lock keeps the pages that it has read, until another process writes: with longer pauses each gets more
 * done in its turn, and shares grow less even.
 */
const LONGEST_PAUSE_MS = 32;

/** How long a writer waits for its turn before it gives up. */
const PATIENCE_MS = 30_000;

/**
 * A turn after which others get a moment to ask before each further operation. Between two operations the lock is free for
 * so short that most who wake up miss it, and turns of a thousand operations happened. With 16 ms shares are more even
 * still (0.6 to 0.7), at a tenth less in total: every turn begins with reading again what others have written.
 */
const LONGEST_TURN_MS = 48;
const GIVING_WAY_MS = 1;

/** Nobody came for so long: this process is alone again. */
const ALONE_AFTER_MS = 200;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && /database is locked|database table is locked|busy/i.test(error.message);

let nap: Int32Array | undefined;

/** Blocks on purpose: a command has nothing else to do, and timers would cost it the event loop. */
function pause(ms: number): void {
  nap ??= new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(nap, 0, 0, ms);
}

export function patiently<T>(attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    return again(error, attempt);
  }
}

/** After a refusal: waits and asks again, as long as somebody else has the lock. */
export function again<T>(refusal: unknown, attempt: () => T): T {
  const deadline = Date.now() + PATIENCE_MS;
  let error = refusal;
  for (let round = 0; ; round++) {
    if (!isBusy(error) || Date.now() > deadline) throw error;
    pause(0.5 + Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** (round + 2)));
    try {
      return attempt();
    } catch (next) {
      error = next;
    }
  }
}

/** The turns of one process. */
export class Turns {
  #since = 0;
  #waited = false;

  /** Asks for the lock until it is there. */
  take(ask: () => unknown): void {
    if (this.#waited) this.#giveWay();
    try {
      ask();
    } catch (error) {
      again(error, ask);
      this.#since = Date.now();
      this.#waited = true;
    }
  }

  /** Only who had to wait for its turn knows that there are others. */
  #giveWay(): void {
    const lasted = Date.now() - this.#since;
    if (lasted > ALONE_AFTER_MS) this.#waited = false;
    else if (lasted > LONGEST_TURN_MS) pause(GIVING_WAY_MS);
  }
}
