// Undo and redo must respect land tasks, which the store creates by itself: a land task that is still needed is not deleted
// with the operation that created it, and one is not restored beside another open one.

import type { Nr } from "../../model/node/node.js";
import type { Change, NodeChange } from "../../model/operation/change.js";
import { landsWork } from "../../model/rules/land.js";
import type { Database } from "../database.js";
import { NODE_BY_NR, toNode } from "../rows/node-rows.js";
import { numberOf } from "../rows/values.js";

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

const OPEN_LANDS = "select nr, parent, 1 as open from node where parent = ? and kind = 'land' and outcome is null";

const OPEN_TASKS = `
  with recursive below (nr) as (
    select nr from node where parent = ?
    union all
    select node.nr from node join below on node.parent = below.nr
  )
  select node.nr, node.parent, node.tier = 'task' and node.kind <> 'land' and node.outcome is null as open
  from below cross join node where node.nr = below.nr`;

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
