// The derived columns of the whole plan, counted from the few columns that they follow from, and written where they differ: after an
// upgrade to a program that derives them differently, and after a long way through the log. Reading all columns takes four times as long.

import { readyOf } from "../../model/derive/pending-rows.js";
import { type Countable, type Counts, recomputeCounts } from "../../model/derive/recompute.js";
import type { Tier } from "../../model/node/node.js";
import { isFrame } from "../../model/status/stale-approval.js";
import type { Database, Row } from "../database.js";
import { readRows } from "../read/pages.js";
import { AWAITED, columnOf, DERIVED_FIELDS, toList, toNode, toOutcome } from "../rows/node-rows.js";
import { numberOf, numberOrNull, textOf } from "../rows/values.js";

const LIGHT = `
  nr, id, tier, kind, parent, depends_on, inbox, outcome, settled_op, awaits_plan, approved_hash, hash,
    feature, shelved, pending, held, live, finished, tasks_live, tasks_finished, landed_op, awaited`;

const ROWS_AT_ONCE = 500;

/** Inside one transaction of the caller. */
export async function rederive(db: Database): Promise<void> {
  const rows = await readRows(db, LIGHT, "1 = 1");
  const counts = recomputeCounts(rows.map(toCountable));
  const changed: number[] = [];
  for (const row of rows) {
    const nr = numberOf(row["nr"]);
    const patch = changedColumns(counts.get(nr) as Counts, row);
    if (Object.keys(patch).length === 0) continue;
    await update(db, nr, patch);
    changed.push(nr);
  }
  // Whether it may be claimed follows from all of its facts, so it is read as a whole.
  for (let i = 0; i < changed.length; i += ROWS_AT_ONCE) {
    const some = changed.slice(i, i + ROWS_AT_ONCE);
    const whole = await db.all(`select * from node where nr in (${some.map(() => "?").join()})`, ...some);
    for (const row of whole) {
      const node = toNode(row);
      if (readyOf(node) !== row["ready"]) await update(db, node.nr, { ready: readyOf(node) });
    }
  }
}

async function update(db: Database, nr: number, row: Row): Promise<void> {
  await db.run(`update node set ${Object.keys(row).join(" = ?, ")} = ? where nr = ?`, ...Object.values(row), nr);
}

const toCountable = (row: Row): Countable => ({
  nr: numberOf(row["nr"]),
  id: textOf(row["id"]),
  tier: row["tier"] as Tier,
  kind: row["kind"] as Countable["kind"],
  parent: numberOrNull(row["parent"]),
  dependsOn: toList(row["depends_on"]),
  inbox: row["inbox"] === 1,
  outcome: toOutcome(row),
  awaitsPlan: row["awaits_plan"] === null ? null : AWAITED,
  stale:
    !isFrame({ tier: row["tier"] as Tier }) && row["approved_hash"] !== null && row["approved_hash"] !== row["hash"],
});

function changedColumns(counts: Counts, row: Row): Row {
  const patch: Row = {};
  for (const field of DERIVED_FIELDS) {
    if (field === "hash") continue;
    const [column, value] = [columnOf(field), counts[field]];
    const stored = typeof value === "boolean" ? Number(value) : value;
    if (row[column] !== stored) patch[column] = stored;
  }
  return patch;
}
