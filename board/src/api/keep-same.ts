// Keeps what did not change: parts of a new answer that equal those of the old one become the old objects, so that only the rows
// that really changed are drawn again.

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Things in lists are found again by their name, wherever they moved. */
function nameOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const name = value["id"] ?? value["op"];
  return typeof name === "string" || typeof name === "number" ? String(name) : undefined;
}

function sameList(before: readonly unknown[], after: readonly unknown[]): unknown {
  const known = new Map<string, unknown>();
  for (const each of before) {
    const name = nameOf(each);
    if (name !== undefined) known.set(name, each);
  }
  const kept = after.map((each, index) => {
    const name = nameOf(each);
    return keepSame(name === undefined ? before[index] : known.get(name), each);
  });
  const isSame = kept.length === before.length && kept.every((each, index) => each === before[index]);
  return isSame ? before : kept;
}

export function keepSame<T>(before: unknown, after: T): T {
  if (Object.is(before, after)) return after;
  if (Array.isArray(before) && Array.isArray(after)) return sameList(before, after) as T;
  if (!isObject(before) || !isObject(after) || Array.isArray(before) || Array.isArray(after)) return after;
  const keys = Object.keys(after);
  const kept: Record<string, unknown> = {};
  let isSame = keys.length === Object.keys(before).length;
  for (const key of keys) {
    kept[key] = keepSame(before[key], after[key]);
    if (kept[key] !== before[key]) isSame = false;
  }
  return (isSame ? before : kept) as T;
}
