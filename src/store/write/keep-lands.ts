// Creates the land task of every feature that got open work and has none.

import { contentHash } from "../../model/node/content-hash.js";
import { idKey } from "../../model/node/ids.js";
import { type Approval, type Birth, BLANK, type Node, type Nr } from "../../model/node/node.js";
import { uuid7s } from "../../model/node/uuid7.js";
import { createNode, type NodeChange } from "../../model/operation/change.js";
import { landsWork, landTask, mayNameLand } from "../../model/rules/land.js";
import { countsForLanding } from "../../model/status/rollup.js";
import { numberOf } from "../rows/values.js";
import { sha256 } from "../sha256.js";
import type { Intent, Writer } from "../store.js";
import type { PendingRow, PendingRows } from "./pending-rows.js";

export async function landsToCreate(
  pendingRows: PendingRows,
  changed: readonly PendingRow[],
  writer: Writer,
  intent: Intent,
): Promise<NodeChange[]> {
  const features = new Set<Nr>();
  for (const row of changed) {
    const feature = featureToKeep(pendingRows, row);
    if (feature !== undefined) features.add(feature);
  }
  if (features.size === 0) return [];
  const taken = new Set(
    changed.filter(({ was, node }) => was === null && mayNameLand(node.id)).map(({ node }) => idKey(node.id)),
  );
  const lands = changed.filter((row) => row.node.kind === "land");
  const bare: PendingRow[] = [];
  for (const nr of features) {
    const row = await pendingRows.get(nr);
    if (!row.removed && landsWork(row.node) && !(await hasOpenLand(pendingRows, row, lands))) bare.push(row);
  }
  return bare.length === 0 ? [] : mintLands(pendingRows, bare, taken, writer, intent);
}

async function mintLands(
  pendingRows: PendingRows,
  features: readonly PendingRow[],
  taken: Set<string>,
  writer: Writer,
  intent: Intent,
): Promise<NodeChange[]> {
  const first = await writer.allocate(features.length);
  const uuidOf = uuid7s(intent.at, Buffer.from(await writer.random(10), "hex"));
  const minted: NodeChange[] = [];
  for (const [i, feature] of features.entries()) {
    const origin = { uuid: uuidOf(i), createdAt: intent.at, createdBy: intent.actor };
    const birth = await nameLand(pendingRows, feature, origin, taken);
    minted.push(createNode(first + i, { ...birth, approval: approvedWith(feature.node, birth, intent) }));
  }
  return minted;
}

/** A feature that is created and approved in one operation has its land task approved too. */
function approvedWith(feature: Node, birth: Birth, { actor, at }: Intent): Approval | null {
  if (feature.approval?.at !== at || feature.approval.by !== actor) return null;
  const hash = contentHash({ ...BLANK, ...birth }, () => feature.uuid, sha256);
  return { by: actor, at, hash };
}

/** The usual id may be taken by another node. */
async function nameLand(
  pendingRows: PendingRows,
  { node: feature, was }: PendingRow,
  origin: Parameters<typeof landTask>[2],
  taken: Set<string>,
): Promise<Birth> {
  for (let earlier = was === null ? 0 : await countLands(pendingRows, feature.nr); ; earlier++) {
    const birth = landTask(feature, earlier, origin);
    const key = idKey(birth.id);
    if (taken.has(key) || (await pendingRows.db.get("select 1 from node where lower(id) = ?", key))) continue;
    taken.add(key);
    return birth;
  }
}

/** A new feature, or the feature of a task that was added, moved in or opened again. Its ancestors are loaded. */
function featureToKeep(pendingRows: PendingRows, { node, was, patch, removed }: PendingRow): Nr | undefined {
  if (removed) return undefined;
  if (node.tier === "feature") return was === null || reopens(node, was) ? node.nr : undefined;
  const isMoved = was !== null && "parent" in patch;
  const isOpened = countsForLanding(node) && node.outcome === null && (was === null || "outcome" in patch || isMoved);
  if (!isOpened && !(isMoved && node.tier === "story" && node.live > node.finished)) return undefined;
  for (let at = node.parent; at !== null; ) {
    const above = pendingRows.loaded(at);
    if (!above) return undefined;
    if (above.node.tier === "feature") return above.node.nr;
    at = above.node.parent;
  }
  return undefined;
}

/** A feature that was dropped, waived or archived with open work comes back. */
const reopens = (node: Node, was: Node): boolean =>
  landsWork(node) && !landsWork(was) && was.tasksLive > was.tasksFinished;

/** `lands`: the land tasks that this operation changes. */
async function hasOpenLand(
  pendingRows: PendingRows,
  { node, was }: PendingRow,
  lands: readonly PendingRow[],
): Promise<boolean> {
  const feature = node.nr;
  const isOpen = (d: PendingRow): boolean => d.node.parent === feature && d.node.outcome === null && !d.removed;
  if (lands.some(isOpen)) return true;
  if (was === null) return false;
  const row = await pendingRows.db.get(
    "select nr from node where parent = ? and kind = 'land' and outcome is null",
    feature,
  );
  return row !== undefined && isOpen(await pendingRows.get(numberOf(row["nr"])));
}

const LANDS = "select count(*) as lands from node where parent = ? and kind = 'land'";

const countLands = async (pendingRows: PendingRows, feature: Nr): Promise<number> =>
  numberOf((await pendingRows.db.get(LANDS, feature))?.["lands"]);
