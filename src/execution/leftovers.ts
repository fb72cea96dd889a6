// What killed programs leave in the repository: branches that a git made after its program was gone, and its locks.

import { removeStaleLocks } from "../git/ref-locks.js";
import { ATTEMPT_BRANCHES, keptRef, listRefs, moveRefs, readRef } from "../git/refs.js";
import { hasEnded } from "../graph/attempt.js";
import type { Services } from "./services.js";

export async function removeLeftovers({ context }: Services): Promise<void> {
  const { root, store } = context;
  removeStaleLocks(root);
  for (const [ref, tip] of await listRefs(root, ATTEMPT_BRANCHES)) {
    const key = ref.slice(ref.lastIndexOf("/") + 1);
    const item = await store.read((reader) => reader.item("attempt", key));
    if (!item || !hasEnded(item.fields.state)) continue;
    const kept = keptRef(key);
    const worth = tip !== item.fields.base && (await readRef(root, kept)) === null;
    await moveRefs(root, [{ ref, from: tip, to: null }, ...(worth ? [{ ref: kept, from: null, to: tip }] : [])]);
  }
}
