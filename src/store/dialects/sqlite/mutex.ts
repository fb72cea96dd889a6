// Lets one in at a time, in the order of asking.

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
