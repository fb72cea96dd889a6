// Land tasks, which the store creates by itself: every feature that got open work has one. Undo and redo respect them: one that is still
// needed is not deleted with the operation that created it, and none is restored beside another open one.

import type { PendingRow } from "../../model/derive/pending-rows.js";
import { contentHash } from "../../model/node/content-hash.js";
import { idKey } from "../../model/node/ids.js";
import { type Approval, type Birth, BLANK, type Node, type Nr } from "../../model/node/node.js";
import { type Change, createNode, type NodeChange } from "../../model/operation/change.js";
import { landsWork, landTask, landUuid, mayNameLand } from "../../model/rules/land.js";
import { countsForLanding } from "../../model/status/rollup.js";
import type { Database } from "../database.js";
import { INSIDE, NODE_BY_NR, OPEN_LAND, toNode } from "../rows/node-rows.js";
import { numberOf } from "../rows/values.js";
import { sha256 } from "../sha256.js";
import type { Stamped, Writer } from "../store.js";
import { openLandOf } from "./check-rows.js";
import type { WritableRows } from "./writable-rows.js";

export async function landsToCreate(rows: WritableRows, writer: Writer, intent: Stamped): Promise<NodeChange[]> {
  const features = new Set<Nr>();
  for (const row of rows.changed) {
    const feature = featureToKeep(rows, row);
    if (feature !== undefined) features.add(feature);
  }
  if (features.size === 0) return [];
  const taken = new Set(
    rows.changed.filter(({ was, node }) => was === null && mayNameLand(node.id)).map(({ node }) => idKey(node.id)),
  );
  const lands = rows.changed.filter((row) => row.node.kind === "land");
  const bare: PendingRow[] = [];
  for (const nr of features) {
    const row = await rows.get(nr);
    if (row.removed || !landsWork(row.node) || isLanded(row, lands)) continue;
    if (!(await hasOpenLand(rows, row, lands))) bare.push(row);
  }
  return bare.length === 0 ? [] : mintLands(rows, bare, taken, writer, intent);
}

async function mintLands(
  rows: WritableRows,
  features: readonly PendingRow[],
  taken: Set<string>,
  writer: Writer,
  intent: Stamped,
): Promise<NodeChange[]> {
  const first = await writer.allocate(features.length);
  const minted: NodeChange[] = [];
  for (const [i, feature] of features.entries()) {
    const origin = { createdAt: intent.at, createdBy: intent.actor };
    const birth = await nameLand(rows, feature, origin, taken);
    minted.push(createNode(first + i, { ...birth, approval: approvedWith(feature.node, birth, intent) }));
  }
  return minted;
}

/** A feature that is created and approved in one operation has its land task approved too. */
function approvedWith(feature: Node, birth: Birth, { actor, at }: Stamped): Approval | null {
  if (feature.approval?.at !== at || feature.approval.by !== actor) return null;
  const hash = contentHash({ ...BLANK, ...birth }, () => feature.uuid, sha256);
  return { by: actor, at, hash };
}

const SAME_NAME = "select 1 from node where lower(id) = ? or uuid = ?";

/** The usual id may be taken by another node. */
async function nameLand(
  rows: WritableRows,
  { node: feature, was }: PendingRow,
  origin: Omit<Parameters<typeof landTask>[2], "uuid">,
  taken: Set<string>,
): Promise<Birth> {
  for (let earlier = was === null ? 0 : await countLands(rows, feature.nr); ; earlier++) {
    const birth = landTask(feature, earlier, { ...origin, uuid: landUuid(feature.uuid, earlier) });
    const key = idKey(birth.id);
    if (taken.has(key) || (await rows.db.get(SAME_NAME, key, birth.uuid))) continue;
    taken.add(key);
    return birth;
  }
}

/** A new feature, or the feature of a task that was added, moved in or opened again. Its ancestors are loaded. */
function featureToKeep(rows: WritableRows, { node, was, patch, removed }: PendingRow): Nr | undefined {
  if (removed) return undefined;
  if (node.tier === "feature") return was === null || reopens(node, was) ? node.nr : undefined;
  const isMoved = was !== null && "parent" in patch;
  const isOpened = countsForLanding(node) && node.outcome === null && (was === null || "outcome" in patch || isMoved);
  if (!isOpened && !(isMoved && node.tier === "story" && node.live > node.finished)) return undefined;
  for (let at = node.parent; at !== null; ) {
    const above = rows.loaded(at);
    if (!above) return undefined;
    if (above.node.tier === "feature") return above.node.nr;
    at = above.node.parent;
  }
  return undefined;
}

/** A feature that was dropped, waived or archived with open work comes back. */
const reopens = (node: Node, was: Node): boolean =>
  landsWork(node) && !landsWork(was) && was.tasksLive > was.tasksFinished;

/** A new feature that comes with its landing behind it, as another tool finished it. */
const isLanded = ({ node, was }: PendingRow, lands: readonly PendingRow[]): boolean =>
  was === null && lands.some((land) => land.node.parent === node.nr && land.node.outcome !== null && !land.removed);

/** `lands`: the land tasks that this operation changes. */
async function hasOpenLand(
  rows: WritableRows,
  { node, was }: PendingRow,
  lands: readonly PendingRow[],
): Promise<boolean> {
  const isOpen = (land: PendingRow): boolean =>
    land.node.parent === node.nr && land.node.outcome === null && !land.removed;
  return lands.some(isOpen) || (was !== null && (await openLandOf(rows, node.nr)) !== undefined);
}

const LANDS = "select count(*) as lands from node where parent = ? and kind = 'land'";

const countLands = async (rows: WritableRows, feature: Nr): Promise<number> =>
  numberOf((await rows.db.get(LANDS, feature))?.["lands"]);

export async function keepNeededLands(db: Database, changes: readonly Change[]): Promise<Change[]> {
  const byNr = new Map<Nr, NodeChange>();
  for (const change of changes) if (change.entity === "node") byNr.set(change.key, change);
  const kept: Change[] = [];
  for (const change of changes) {
    if (change.entity !== "node" || (await belongs(db, change, byNr))) kept.push(change);
  }
  return kept;
}

async function belongs(db: Database, change: NodeChange, byNr: ReadonlyMap<Nr, NodeChange>): Promise<boolean> {
  const { before, after } = change;
  const goes = after === null && before?.kind === "land" && (before.outcome ?? null) === null;
  if (goes) return !(await isNeeded(db, before.parent as Nr, byNr));
  const comes = before === null && after?.kind === "land" && (after.outcome ?? null) === null;
  return !comes || !(await isOpen(db, OPEN_LANDS, after.parent as Nr, byNr));
}

/** Nothing runs in a feature that is settled or archived, even if tasks in it are open. */
async function isNeeded(db: Database, feature: Nr, byNr: ReadonlyMap<Nr, NodeChange>): Promise<boolean> {
  const row = await db.get(NODE_BY_NR, feature);
  if (!row || !landsWork({ ...toNode(row), ...byNr.get(feature)?.after })) return false;
  return isOpen(db, OPEN_TASKS, feature, byNr);
}

const OPEN_LANDS = `select nr, parent, 1 as open from node where ${OPEN_LAND}`;

const OPEN_TASKS = `${INSIDE}
  select node.nr, node.parent, case when node.tier = 'task' and node.kind <> 'land' and node.outcome is null then 1 else 0 end as open
  from inside cross join node where node.nr = inside.nr`;

/** Whether one of these is still open and inside the feature after the changes. */
async function isOpen(db: Database, sql: string, feature: Nr, byNr: ReadonlyMap<Nr, NodeChange>): Promise<boolean> {
  const rows = await db.all(sql, feature);
  const parents = new Map(rows.map((row) => [numberOf(row["nr"]), numberOf(row["parent"])]));
  // It moves with its container.
  const moves = ({ before, after }: NodeChange): boolean => before !== null && after?.parent !== undefined;
  const isInside = (nr: Nr | undefined): boolean => {
    if (nr === undefined || nr === feature) return nr === feature;
    const change = byNr.get(nr);
    return !(change && moves(change)) && isInside(parents.get(nr));
  };
  return rows.some((row) => {
    const nr = numberOf(row["nr"]);
    return row["open"] === 1 && staysOpen(byNr.get(nr)) && isInside(nr);
  });
}

/** A change that creates an existing row was left out by an earlier undo. */
const staysOpen = (change: NodeChange | undefined): boolean =>
  change === undefined || change.before === null || (change.after !== null && !change.after.outcome);
