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
    if (await hasOpenLand(sheet, nr, changed)) continue;
    const uuid = uuid7(intent.at, Buffer.from(await writer.random(10), "hex"));
    const origin = { uuid, createdAt: intent.at, createdBy: intent.actor };
    minted.push(createNode(await writer.allocate(1), landTask(node, await countLands(sheet, nr), origin)));
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

async function hasOpenLand(sheet: Sheet, feature: Nr, changed: readonly Draft[]): Promise<boolean> {
  const isOpen = (d: Draft): boolean =>
    d.node.kind === "land" && d.node.parent === feature && d.node.outcome === null && !d.gone;
  if (changed.some(isOpen)) return true;
  const row = await sheet.db.get("select nr from node where parent = ? and kind = 'land' and outcome is null", feature);
  return row !== undefined && isOpen(await sheet.get(row["nr"] as Nr));
}

const countLands = async (sheet: Sheet, feature: Nr): Promise<number> =>
  ((await sheet.db.get("select count(*) as lands from node where parent = ? and kind = 'land'", feature))?.["lands"] ??
    0) as number;
