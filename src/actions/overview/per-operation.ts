// What is computed from the whole plan is kept until the next operation: nothing else changes it. A past moment never changes at all.

import type { Reader, Store } from "../../store/store.js";

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
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  // Not kept before it is there: what fails is tried again.
  const value = await compute();
  kept.set(name, Promise.resolve(value));
  return value;
}
