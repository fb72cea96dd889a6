// Finds a cycle in any directed graph: depth first without recursion, so a chain of a million is fine.

/** The nodes of one cycle, first one repeated at the end; nothing if there is none. */
export function findCycle<T>(starts: Iterable<T>, next: (node: T) => readonly T[]): T[] | undefined {
  const finished = new Set<T>();
  for (const start of starts) {
    if (finished.has(start)) continue;
    const onPath = new Set<T>([start]);
    const stack: { node: T; rest: Iterator<T> }[] = [{ node: start, rest: next(start)[Symbol.iterator]() }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const step = top.rest.next();
      if (step.done) {
        stack.pop();
        onPath.delete(top.node);
        finished.add(top.node);
      } else if (onPath.has(step.value)) {
        const path = [...onPath];
        return [...path.slice(path.indexOf(step.value)), step.value];
      } else if (!finished.has(step.value)) {
        onPath.add(step.value);
        stack.push({ node: step.value, rest: next(step.value)[Symbol.iterator]() });
      }
    }
  }
  return undefined;
}
