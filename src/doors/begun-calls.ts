// Calls that a server has begun: it does not end before they have.

export class BegunCalls {
  readonly #running = new Set<Promise<unknown>>();

  track<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running);
    const forget = (): unknown => this.#running.delete(running);
    running.then(forget, forget);
    return running;
  }

  /** Resolves when every one of them has ended. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
