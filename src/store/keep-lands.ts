// Sees to it that every feature with work has its one open land task, whatever operation made it so.

import { createNode, type NodeChange } from "../graph/change.js";
import { uuid7 } from "../graph/ids.js";
import { landsWork, landTask } from "../graph/land.js";
import type { Nr } from "../graph/node.js";
import { countsForLanding } from "../graph/rollup.js";
import type { Draft, Sheet } from "./sheet.js";
import type { Intent, Writer } from "./store.js";

export async function missingLands(
  sheet: Sheet,
  changed: readonly Draft[],
  writer: Writer,
  intent: Intent,
): Promise<NodeChange[]> {
  const features = new Set<Nr>();
  for (const draft of changed) {
    const feature = await featureToKeep(sheet, draft);
    if (feature !== undefined) features.add(feature);
  }
  const minted: NodeChange[] = [];
  for (const nr of features) {
    const { node, gone } = await sheet.get(nr);
    if (gone || !landsWork(node)) continue;
    const lands = await landsOf(sheet, nr, changed);
    if (lands.some((land) => land.node.outcome === null)) continue;
    const uuid = uuid7(intent.at, Buffer.from(await writer.random(10), "hex"));
    const origin = { uuid, createdAt: intent.at, createdBy: intent.actor };
    minted.push(createNode(await writer.allocate(1), landTask(node, lands.length, origin)));
  }
  return minted;
}

/** A new feature, or the feature of a task that was added, moved in, or opened again. */
async function featureToKeep(sheet: Sheet, { node, was, patch, gone }: Draft): Promise<Nr | undefined> {
  if (gone) return undefined;
  if (node.tier === "feature") return was === null ? node.nr : undefined;
  if (!countsForLanding(node) || node.outcome !== null) return undefined;
  if (was !== null && !("parent" in patch) && !("outcome" in patch)) return undefined;
  for (let at = node.parent; at !== null; ) {
    const above = await sheet.find(at);
    if (!above) return undefined;
    if (above.node.tier === "feature") return above.node.nr;
    at = above.node.parent;
  }
  return undefined;
}

async function landsOf(sheet: Sheet, feature: Nr, changed: readonly Draft[]): Promise<Draft[]> {
  const isLand = (d: Draft): boolean => d.node.kind === "land" && d.node.parent === feature && !d.gone;
  const lands = new Set(changed.filter(isLand));
  const rows = await sheet.db.all("select nr from node where parent = ? and kind = 'land'", feature);
  for (const row of rows) {
    const draft = await sheet.get(row["nr"] as Nr);
    if (isLand(draft)) lands.add(draft);
  }
  return [...lands];
}
