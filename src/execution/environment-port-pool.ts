// The ports of an engine's slots. To find out that a range is free takes dozens of sockets, so a slot whose attempts follow
// one another within moments keeps its range; what was looked at a while ago is looked at again.

import type { Store } from "../store/store.js";
import { type PortRange, type PortSettings, takePorts } from "./environment-ports.js";

/** Whatever begins to listen on a port within this time could as well have begun a moment after a look. */
const FRESH_MS = 2_000;

interface Kept {
  readonly range: PortRange;
  readonly lookedAt: number;
  isFree: boolean;
}

class PortPool {
  readonly #kept = new Map<number, Kept>();

  /** Undefined if there is no free range for the slot. */
  async take(slot: number, settings: PortSettings): Promise<PortRange | undefined> {
    const known = this.#kept.get(slot);
    if (known?.isFree && performance.now() - known.lookedAt < FRESH_MS) return this.#lend(known);
    if (known?.isFree) this.#drop(slot, known);
    const lookedAt = performance.now();
    const range = await takePorts(slot, settings);
    if (!range || this.#kept.has(slot)) return range;
    const kept: Kept = { range, lookedAt, isFree: true };
    this.#kept.set(slot, kept);
    return this.#lend(kept);
  }

  /** Lets go of those that nobody uses. */
  release(): void {
    for (const [slot, kept] of this.#kept) if (kept.isFree) this.#drop(slot, kept);
  }

  #lend(kept: Kept): PortRange {
    kept.isFree = false;
    const { first, last } = kept.range;
    return {
      first,
      last,
      release: () => {
        kept.isFree = true;
      },
    };
  }

  #drop(slot: number, { range }: Kept): void {
    this.#kept.delete(slot);
    range.release();
  }
}

const pools = new WeakMap<Store, PortPool>();

/** Of the engines at work on a plan in this program. */
export function portsOf(store: Store): PortPool {
  const pool = pools.get(store) ?? new PortPool();
  pools.set(store, pool);
  return pool;
}
