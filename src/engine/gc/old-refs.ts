// Refs of ours that are old enough to go. Kept work has its own time, see `expire-kept.ts`.

import { FORMER_HEADS, formerAt } from "../../machine/git/log-head.js";
import { listRefs, moveRefs, STRAY_REFS } from "../../machine/git/refs.js";
import { DAY_MS, type Garbage, type GarbageInput } from "./garbage.js";

export async function oldRefs({ context, settings }: GarbageInput): Promise<Garbage[]> {
  const { root, store } = context;
  const before = context.now() - settings.leftoverDays * DAY_MS;
  const former = [...(await listRefs(root, FORMER_HEADS))].filter(([ref]) => (formerAt(ref) ?? Infinity) < before);
  const stray: [string, string][] = [];
  for (const [ref, commit] of await listRefs(root, STRAY_REFS)) {
    const key = ref.slice(STRAY_REFS.length + 1).split("/")[0] ?? "";
    const item = await store.read((reader) => reader.item("attempt", key));
    if ((item?.fields.endedAt ?? Infinity) < before) stray.push([ref, commit]);
  }
  return [...former, ...stray].map(([ref, commit]) => ({
    kind: "ref",
    name: ref,
    bytes: null,
    remove: async () => {
      const moved = await moveRefs(root, [{ ref, from: commit, to: null }]);
      if (!moved.ok) throw new Error(moved.problem);
    },
  }));
}
