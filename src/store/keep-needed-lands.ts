// Undo and redo against land tasks, which the store keeps by itself: one that is still needed does not go
// with the operation that brought it, and one whose place is taken does not come back.

import type { Change, NodeChange } from "../graph/change.js";
import type { Nr } from "../graph/node.js";
import type { Database } from "./database.js";

export async function keepNeededLands(db: Database, changes: readonly Change[]): Promise<Change[]> {
  const byNr = new Map<Nr, NodeChange>();
  for (const change of changes) if (change.entity === "node") byNr.set(change.key, change);
  const kept: Change[] = [];
  for (const change of changes) if (change.entity === "focus" || (await belongs(db, change, byNr))) kept.push(change);
  return kept;
}

async function belongs(db: Database, change: NodeChange, byNr: ReadonlyMap<Nr, NodeChange>): Promise<boolean> {
  const { before, after } = change;
  const goes = after === null && before?.kind === "land" && (before.outcome ?? null) === null;
  if (goes) return !(await isOpen(db, OPEN_TASKS, before.parent as Nr, byNr));
  const comes = before === null && after?.kind === "land" && (after.outcome ?? null) === null;
  return !comes || !(await isOpen(db, OPEN_LANDS, after.parent as Nr, byNr));
}

const OPEN_LANDS = "select nr from node where parent = ? and kind = 'land' and outcome is null";

const OPEN_TASKS = `
  with recursive below (nr) as (
    select nr from node where parent = ?
    union all
    select node.nr from node join below on node.parent = below.nr
  )
  select node.nr from below join node on node.nr = below.nr
  where node.tier = 'task' and node.kind <> 'land' and node.outcome is null`;

/** Is one of these still open, and in its place, after the changes? */
async function isOpen(db: Database, sql: string, feature: Nr, byNr: ReadonlyMap<Nr, NodeChange>): Promise<boolean> {
  const rows = await db.all(sql, feature);
  return rows.some((row) => staysOpen(byNr.get(row["nr"] as Nr)));
}

/** A row that is there already and asked for again was kept before. */
const staysOpen = (change: NodeChange | undefined): boolean =>
  change === undefined ||
  change.before === null ||
  (change.after !== null && !change.after.outcome && change.after.parent === undefined);
