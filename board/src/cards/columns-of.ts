// In which column each part stands: one after everything that comes before it. Pure; a cycle ends where it began.

/** `after`: positions of the parts before each part. */
export function columnsOf(after: readonly (readonly number[])[]): number[] {
  const columns = new Map<number, number>();
  const columnOf = (part: number, seen: ReadonlySet<number>): number => {
    const known = columns.get(part);
    if (known !== undefined) return known;
    const before = (after[part] ?? []).filter((each) => each in after && !seen.has(each));
    const column = Math.max(-1, ...before.map((each) => columnOf(each, new Set([...seen, part])))) + 1;
    if (seen.size === 0) columns.set(part, column);
    return column;
  };
  return after.map((_, part) => columnOf(part, new Set()));
}
