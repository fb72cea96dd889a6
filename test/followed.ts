import type { Store } from "../src/store/store.js";

/** The numbers of the next operations after one; fewer if the store is closed before. */
export async function followed(store: Store, after: number, count: number): Promise<number[]> {
  const seen: number[] = [];
  if (count === 0) return seen;
  for await (const { op } of store.follow(after)) {
    seen.push(op);
    if (seen.length === count) break;
  }
  return seen;
}
