// Finds cycles in any directed graph: depth first without recursion, so a chain of a million is fine.

interface Step<T> {
  readonly node: T;
  readonly rest: Iterator<T>;
}

/** The nodes of one cycle, first one repeated at the end; nothing if there is none. */
export function findCycle<T>(starts: Iterable<T>, next: (node: T) => readonly T[]): T[] | undefined {
  for (const cycle of findCycles(starts, next)) return cycle;
  return undefined;
}

/** As many as a person follows. */
const NAMED = 10;

/** A cycle in words, first one repeated at the end: of a long one its beginning, and how many more there are. */
export function describeCycle(ids: readonly string[]): string {
  if (ids.length <= NAMED + 2) return ids.join(" → ");
  return [...ids.slice(0, NAMED), `… (${ids.length - 1 - NAMED} more)`, ids.at(-1)].join(" → ");
}

/** Several cycles, no two of which begin or end in a member of an earlier one. */
export function* findCycles<T>(starts: Iterable<T>, next: (node: T) => readonly T[]): Iterable<T[]> {
  const finished = new Set<T>();
  const reported = new Set<T>();
  for (const start of starts) {
    if (finished.has(start)) continue;
    const depths = new Map<T, number>([[start, 0]]);
    const stack: Step<T>[] = [{ node: start, rest: next(start)[Symbol.iterator]() }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const step = top.rest.next();
      if (step.done) {
        stack.pop();
        depths.delete(top.node);
        finished.add(top.node);
        continue;
      }
      const depth = depths.get(step.value);
      if (depth === undefined) {
        if (finished.has(step.value)) continue;
        depths.set(step.value, stack.length);
        stack.push({ node: step.value, rest: next(step.value)[Symbol.iterator]() });
      } else if (!reported.has(step.value) && !reported.has(top.node)) {
        const cycle = stack.slice(depth).map(({ node }) => node);
        for (const node of cycle) reported.add(node);
        yield [...cycle, step.value];
      }
    }
  }
}
