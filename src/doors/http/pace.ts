// How many requests the server takes: a burst when a page opens, and far more in a second than a person causes.

const BURST = 400;
const PER_SECOND = 200;

export class Pace {
  readonly #now: () => number;
  #left = BURST;
  #at: number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#at = now();
  }

  /** False: too many. */
  take(): boolean {
    const now = this.#now();
    this.#left = Math.min(BURST, this.#left + (Math.max(0, now - this.#at) / 1000) * PER_SECOND);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
