// Notifies followers that the plan has changed, at most as often as they can use it.

import type { LoggedOperation } from "../../model/operation/operation.js";
import type { Store } from "../../store/store.js";

export interface ChangeOptions {
  readonly signal: AbortSignal;
  /** At least so long between two. */
  readonly gapMs: () => number;
  /** Only operations that change what the caller looks at; all of them by default. */
  readonly matters?: (operation: LoggedOperation) => boolean;
}

/**
 * Yields once for any number of operations after `after`: the first at once, the next after the gap. Ends with the signal.
 * A log that cannot be read counts as a change, so that the caller looks and finds out why.
 */
export async function* watchChanges(
  store: Store,
  after: number,
  { signal, gapMs, matters = () => true }: ChangeOptions,
): AsyncGenerator<void, void, void> {
  const flag = new Flag();
  const abandoned = new AbortController();
  const over = AbortSignal.any([signal, abandoned.signal]);
  let ended = false;
  const following = raiseOnChange(store, after, { signal: over, matters, flag }).then(() => {
    ended = true;
    flag.raise();
  });
  try {
    for (;;) {
      await flag.raised();
      if (ended) return;
      yield;
      await pause(gapMs(), signal);
    }
  } finally {
    abandoned.abort();
    await following;
  }
}

/** At once, and then after every change from now on. */
export async function* changesFromNow(store: Store, options: ChangeOptions): AsyncGenerator<void, void, void> {
  const seen = await store.read((reader) => reader.lastOperation());
  yield;
  yield* watchChanges(store, seen, options);
}

interface Following extends Required<Pick<ChangeOptions, "signal" | "matters">> {
  readonly flag: Flag;
}

/** Until the signal is aborted or the store closed. */
async function raiseOnChange(store: Store, after: number, { signal, matters, flag }: Following): Promise<void> {
  for (let last = after; !signal.aborted; ) {
    try {
      for await (const operation of store.follow(last, { signal })) {
        last = operation.op;
        if (matters(operation)) flag.raise();
      }
      return;
    } catch {
      flag.raise();
      await pause(RETRY_MS, signal);
    }
  }
}

const RETRY_MS = 2_000;

/** Raised any number of times, it is seen once. */
class Flag {
  #isRaised = false;
  #wake: () => void = () => undefined;

  raise(): void {
    this.#isRaised = true;
    this.#wake();
  }

  async raised(): Promise<void> {
    if (!this.#isRaised) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isRaised = false;
  }
}

/** An abort ends it early. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
