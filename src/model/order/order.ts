// The order in which things can be done when some wait for others: linear, and without recursion.

export interface Order<T> {
  /** Each after everything that it waits for. */
  readonly sorted: readonly T[];
  /** Members of cycles, and whatever waits for them: these have no order. */
  readonly rest: readonly T[];
  /** What each waits for, within the given items. */
  readonly waits: ReadonlyMap<T, readonly T[]>;
}

export function orderOf<T>(items: Iterable<T>, waitsFor: (item: T) => readonly T[]): Order<T> {
  const known = new Set(items);
  const waits = new Map<T, readonly T[]>();
  for (const item of known) {
    waits.set(
      item,
      distinct(waitsFor(item)).filter((other) => known.has(other)),
    );
  }
  const sorted = peel(waits);
  const done = new Set(sorted);
  return { sorted, rest: [...known].filter((item) => !done.has(item)), waits };
}

/** Most wait for one thing or none, which needs no set. */
const distinct = <T>(items: readonly T[]): readonly T[] => (items.length < 2 ? items : [...new Set(items)]);

/** Takes away what waits for nothing, again and again, until nothing more comes loose. */
function peel<T>(waits: ReadonlyMap<T, readonly T[]>): T[] {
  const open = new Map<T, number>();
  const behind = new Map<T, T[]>();
  for (const [item, others] of waits) {
    open.set(item, others.length);
    for (const other of others) {
      const list = behind.get(other);
      if (list) list.push(item);
      else behind.set(other, [item]);
    }
  }
  const loose = [...waits.keys()].filter((item) => open.get(item) === 0);
  // The list grows while it is walked.
  for (const item of loose) {
    for (const waiter of behind.get(item) ?? []) {
      const left = (open.get(waiter) as number) - 1;
      open.set(waiter, left);
      if (left === 0) loose.push(waiter);
    }
  }
  return loose;
}

/** Of those without an order: the ones in cycles, or between two of them. */
export function knotOf<T>({ rest, waits }: Order<T>): T[] {
  const inRest = new Set(rest);
  const reversed = new Map<T, T[]>(rest.map((item) => [item, []]));
  for (const item of rest) {
    for (const other of waits.get(item) as readonly T[]) if (inRest.has(other)) reversed.get(other)?.push(item);
  }
  const loose = new Set(peel(reversed));
  return rest.filter((item) => !loose.has(item));
}
