// Sees to it that every feature with work has its one open land task, whatever operation made it so.

import { contentHash } from "../graph/node/content-hash.js";
import { idKey } from "../graph/node/ids.js";
import { type Approval, type Birth, BLANK, type Node, type Nr } from "../graph/node/node.js";
import { uuid7s } from "../graph/node/uuid7.js";
import { createNode, type NodeChange } from "../graph/operation/change.js";
import { landsWork, landTask, mayNameLand } from "../graph/rules/land.js";
import { countsForLanding } from "../graph/status/rollup.js";
import { sha256 } from "./sha256.js";
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
    const feature = featureToKeep(sheet, draft);
    if (feature !== undefined) features.add(feature);
  }
  if (features.size === 0) return [];
  const taken = new Set(
    changed.filter(({ was, node }) => was === null && mayNameLand(node.id)).map(({ node }) => idKey(node.id)),
  );
  const lands = changed.filter((draft) => draft.node.kind === "land");
  const bare: Draft[] = [];
  for (const nr of features) {
    const draft = await sheet.get(nr);
    if (!draft.gone && landsWork(draft.node) && !(await hasOpenLand(sheet, draft, lands))) bare.push(draft);
  }
  return bare.length === 0 ? [] : mintLands(sheet, bare, taken, writer, intent);
}

async function mintLands(
  sheet: Sheet,
  features: readonly Draft[],
  taken: Set<string>,
  writer: Writer,
  intent: Intent,
): Promise<NodeChange[]> {
  const first = await writer.allocate(features.length);
  const uuidOf = uuid7s(intent.at, Buffer.from(await writer.random(10), "hex"));
  const minted: NodeChange[] = [];
  for (const [i, feature] of features.entries()) {
    const origin = { uuid: uuidOf(i), createdAt: intent.at, createdBy: intent.actor };
    const birth = await nameLand(sheet, feature, origin, taken);
    minted.push(createNode(first + i, { ...birth, approval: approvedWith(feature.node, birth, intent) }));
  }
  return minted;
}

/** A feature that is made and approved in one operation takes its land task along. */
function approvedWith(feature: Node, birth: Birth, { actor, at }: Intent): Approval | null {
  if (feature.approval?.at !== at || feature.approval.by !== actor) return null;
  const hash = contentHash({ ...BLANK, ...birth }, () => feature.uuid, sha256);
  return { by: actor, at, hash };
}

/** Somebody may have chosen the name of the land task for a node of their own. */
async function nameLand(
  sheet: Sheet,
  { node: feature, was }: Draft,
  origin: Parameters<typeof landTask>[2],
  taken: Set<string>,
): Promise<Birth> {
  for (let earlier = was === null ? 0 : await countLands(sheet, feature.nr); ; earlier++) {
    const birth = landTask(feature, earlier, origin);
    const key = idKey(birth.id);
    if (taken.has(key) || (await sheet.db.get("select 1 from node where lower(id) = ?", key))) continue;
    taken.add(key);
    return birth;
  }
}

/** A new feature, or the feature of a task that was added, moved in (with its story, too), or opened again.
 *  The guard has found whatever contains such a task. */
function featureToKeep(sheet: Sheet, { node, was, patch, gone }: Draft): Nr | undefined {
  if (gone) return undefined;
  if (node.tier === "feature") return was === null || reopens(node, was) ? node.nr : undefined;
  const isMoved = was !== null && "parent" in patch;
  const isOpened = countsForLanding(node) && node.outcome === null && (was === null || "outcome" in patch || isMoved);
  if (!isOpened && !(isMoved && node.tier === "story" && node.live > node.finished)) return undefined;
  for (let at = node.parent; at !== null; ) {
    const above = sheet.peek(at);
    if (!above) return undefined;
    if (above.node.tier === "feature") return above.node.nr;
    at = above.node.parent;
  }
  return undefined;
}

/** It was dropped, waived or archived with open work inside. */
const reopens = (node: Node, was: Node): boolean =>
  landsWork(node) && !landsWork(was) && was.tasksLive > was.tasksFinished;

/** `lands`: those that this operation touches. */
async function hasOpenLand(sheet: Sheet, { node, was }: Draft, lands: readonly Draft[]): Promise<boolean> {
  const feature = node.nr;
  const isOpen = (d: Draft): boolean => d.node.parent === feature && d.node.outcome === null && !d.gone;
  if (lands.some(isOpen)) return true;
  if (was === null) return false;
  const row = await sheet.db.get("select nr from node where parent = ? and kind = 'land' and outcome is null", feature);
  return row !== undefined && isOpen(await sheet.get(row["nr"] as Nr));
}

const countLands = async (sheet: Sheet, feature: Nr): Promise<number> =>
  ((await sheet.db.get("select count(*) as lands from node where parent = ? and kind = 'land'", feature))?.["lands"] ??
    0) as number;
