// How processes share SQLite's write lock, which goes to the first process that asks when it is free. All waits are timers: the
// process goes on with its other work. SQLite's own busy handler would block it, and starves some of eight processes.

/** Longer pauses let each process do more per turn with the pages it has cached, but the shares get less even. */
const PAUSE_LIMIT_MS = 32;

/** How long a writer waits for the lock before it gives up. */
const PATIENCE_MS = 30_000;

/**
 * A process that writes without a pause for this long lets others in between its operations. The lock is otherwise free
 * for so short a time that others miss it: without this the least busy of eight processes gets a third of what the
 * busiest gets, with it about half.
 */
const TURN_LIMIT_MS = 48;
const GIVE_WAY_MS = 1;

/** A process that was not refused for so long has the lock for itself. */
const ALONE_AFTER_MS = 200;

const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

const isLocked = (error: unknown): boolean =>
  error instanceof Error && /database is locked|database table is locked|busy/i.test(error.message);

/** Runs at once if it can. While the file is locked, the result is a promise and the attempt is repeated. */
export function whenUnlocked<T>(attempt: () => T): T | Promise<Awaited<T>> {
  try {
    return attempt();
  } catch (error) {
    if (!isLocked(error)) throw error;
    return retryWhileLocked(attempt);
  }
}

async function retryWhileLocked<T>(attempt: () => T): Promise<Awaited<T>> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let round = 0; ; round++) {
    await pause(1 + Math.random() * Math.min(PAUSE_LIMIT_MS, 2 ** (round + 2)));
    try {
      return await attempt();
    } catch (error) {
      if (!isLocked(error) || Date.now() > deadline) throw error;
    }
  }
}

export class WriteLock {
  /** When this process last had to wait for the lock; undefined while it seems to be alone. */
  #waitedAt: number | undefined;

  async acquire<T>(attempt: () => Promise<T>): Promise<T> {
    if (this.#waitedAt !== undefined) await this.#giveWay(this.#waitedAt);
    try {
      return await attempt();
    } catch (error) {
      if (!isLocked(error)) throw error;
      return await retryWhileLocked(async () => {
        const result = await attempt();
        this.#waitedAt = Date.now();
        return result;
      });
    }
  }

  async #giveWay(since: number): Promise<void> {
    const lasted = Date.now() - since;
    if (lasted > ALONE_AFTER_MS) this.#waitedAt = undefined;
    else if (lasted > TURN_LIMIT_MS) await pause(GIVE_WAY_MS);
  }
}
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Resolves to the function that lets the next one in. */
  enter(): Promise<() => void> {
    const before = this.#last;
    let leave: () => void = () => undefined;
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    return before.then(() => leave);
  }
}
