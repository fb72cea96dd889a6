// Notifies followers that the plan has changed, at most as often as they can use it.

import { setTimeout } from "node:timers/promises";
import type { LoggedOperation } from "../../model/operation/operation.js";
import type { Store } from "../../store/store.js";

export interface ChangeOptions {
  readonly signal: AbortSignal;
  /** The shortest time between two notices. */
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
  for (let seen = after; ; ) {
    try {
      for await (const operation of store.follow(seen, { signal })) {
        if (operation.op <= seen || !matters(operation)) continue;
        // Whoever looks now sees everything up to here.
        seen = await store.read((reader) => reader.lastOperation());
        yield;
        await pause(gapMs(), signal);
      }
      return;
    } catch {
      yield;
      await pause(RETRY_MS, signal);
    }
  }
}

/** Yields at once, and then after every change from now on. */
export async function* changesFromNow(store: Store, options: ChangeOptions): AsyncGenerator<void, void, void> {
  const seen = await store.read((reader) => reader.lastOperation());
  yield;
  yield* watchChanges(store, seen, options);
}

const RETRY_MS = 2_000;

/** An abort ends it early. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => undefined);
