// Draws again whenever the plan has changed, until the person has seen enough.

const POLL_MS = 250;

export interface Watched {
  /** Draws one frame; false ends the watch. */
  readonly draw: () => Promise<boolean>;
  /** A number that differs once another process has written. */
  readonly version: () => Promise<number>;
}

export async function watch({ draw, version }: Watched): Promise<void> {
  const ending = new Ending();
  try {
    for (let seen = await version(); await draw(); ) {
      let now = seen;
      while (now === seen && !ending.asked) {
        await ending.orAfter(POLL_MS);
        now = await version();
      }
      if (ending.asked) return;
      seen = now;
    }
  } finally {
    ending.forget();
  }
}

/** Ctrl-C, or a polite request to end. */
class Ending {
  asked = false;
  #wake: (() => void) | undefined;
  readonly #ask = (): void => {
    this.asked = true;
    this.#wake?.();
  };

  constructor() {
    process.on("SIGINT", this.#ask);
    process.on("SIGTERM", this.#ask);
  }

  orAfter(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  forget(): void {
    process.off("SIGINT", this.#ask);
    process.off("SIGTERM", this.#ask);
  }
}
