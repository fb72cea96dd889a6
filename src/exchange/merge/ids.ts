// The ids that new nodes get: the tool's own where it is free, else the next number.

import { displayId, idKey, isChosenId, numberedAs } from "../../model/node/ids.js";
import { TIERS, type Tier } from "../../model/node/node.js";
import { mayNameLand } from "../../model/rules/land.js";
import type { Placed } from "./place.js";
import type { ImportRun } from "./run.js";

export async function chooseIds(run: ImportRun, fresh: readonly Placed[]): Promise<ReadonlyMap<Placed, string>> {
  const ids = new Map<Placed, string>();
  const wishes = fresh.flatMap((placed) => {
    const id = placed.item.displayId;
    return id !== undefined && isChosenId(id) && !mayNameLand(id) ? [{ placed, id }] : [];
  });
  const taken = new Set((await run.writer.byIds(wishes.map(({ id }) => id))).map(({ id }) => idKey(id)));
  const highest = new Map<Tier, number>();
  for (const { placed, id } of wishes) {
    if (taken.has(idKey(id))) {
      run.note(placed.item.at, `${id}: The plan has another node with this id, so it gets the next number.`);
      continue;
    }
    taken.add(idKey(id));
    ids.set(placed, id);
    const chosen = numberedAs(id);
    if (chosen) highest.set(chosen.tier, Math.max(chosen.number, highest.get(chosen.tier) ?? 0));
  }
  for (const tier of TIERS) {
    const nameless = fresh.filter((placed) => placed.tier === tier && !ids.has(placed));
    const atLeast = highest.get(tier) ?? 0;
    if (nameless.length === 0 && atLeast === 0) continue;
    let number = await run.writer.mint(tier, nameless.length, atLeast);
    for (const placed of nameless) ids.set(placed, displayId(tier, number++));
  }
  return ids;
}
