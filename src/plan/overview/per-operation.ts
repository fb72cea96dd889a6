// What is computed from the whole plan is kept until the next operation: nothing else changes it. A past moment never changes at all.

import type { Reader, Store } from "../../store/store.js";

/** Of each thing the latest two: one of now, and one of the moment that somebody looks at. */
const MOST_OF_ONE = 2;
const MOST_KEPT = 24;

export async function perOperation<T>(
  store: Store,
  reader: Reader,
  key: string,
  compute: () => Promise<T>,
): Promise<T> {
  const { kept } = store;
  const name = `${await reader.lastOperation()} ${key}`;
  const known = kept.get(name);
  if (known !== undefined) return known as Promise<T>;
  // Not kept before it is there: what fails is tried again.
  const value = await compute();
  const same = [...kept.keys()].filter((each) => each.slice(each.indexOf(" ") + 1) === key);
  for (const old of same.slice(0, Math.max(0, same.length - MOST_OF_ONE + 1))) kept.delete(old);
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(name, Promise.resolve(value));
  return value;
}
