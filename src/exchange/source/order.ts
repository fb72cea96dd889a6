// The order that a list implies: work that is not marked as parallel waits for everything before it, and parallel work only for the
// last that was not.

export interface Listed {
  readonly key: string;
  readonly isParallel: boolean;
  /** Nothing waits for it. */
  readonly isOptional?: boolean;
}

export function impliedOrder(list: readonly Listed[]): ReadonlyMap<string, readonly string[]> {
  const after = new Map<string, readonly string[]>();
  let barrier: readonly string[] = [];
  let run: string[] = [];
  for (const { key, isParallel, isOptional = false } of list) {
    if (isParallel || isOptional) {
      after.set(key, barrier);
      if (!isOptional) run.push(key);
      continue;
    }
    after.set(key, run.length > 0 ? run : barrier);
    barrier = [key];
    run = [];
  }
  return after;
}
