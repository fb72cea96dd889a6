// The derived columns of a plan whose rows were changed: counted for the whole plan, from the few columns that they follow from, and
// written where they differ. Reading all columns of 10,000 nodes would take four times as long.

import type { Outcome, Tier } from "../../graph/node/node.js";
import { type Countable, type Counts, recomputeCounts } from "../../graph/operation/recompute.js";
import type { Database, Row } from "../database.js";
import { derivedColumns } from "../rows/node-columns.js";
import { NODE_BY_NR, toNode } from "../rows/node-rows.js";
import { numberOf, numberOrNull, textOf } from "../rows/values.js";
import { readyOf } from "../write/pending-rows.js";

const LIGHT = `
  select nr, id, tier, kind, parent, depends_on, inbox, outcome, settled_op, approved_hash, hash,
    feature, shelved, pending, held, live, finished, tasks_live, tasks_finished, landed_op, awaited, ready
  from main.node`;

/** `touched`: rows that were written, whatever is derived for them. */
export async function recount(db: Database, touched: ReadonlySet<number>): Promise<void> {
  const rows = await db.all(LIGHT);
  const counts = recomputeCounts(rows.map(toCountable));
  for (const row of rows) {
    const nr = numberOf(row["nr"]);
    const patch = derivedColumns({ ...(counts.get(nr) as Counts), hash: "" }, { ...toCounts(row), hash: "" });
    if (!touched.has(nr) && Object.keys(patch).length === 0) continue;
    await write(db, nr, patch);
    // Whether it may be claimed follows from all of its facts, so it is read as a whole. Without an approval it may not.
    if (row["approved_hash"] === null && row["ready"] === null) continue;
    const whole = await db.get(NODE_BY_NR, nr);
    const ready = whole ? readyOf(toNode(whole)) : null;
    if (ready !== row["ready"]) await write(db, nr, { ready });
  }
}

async function write(db: Database, nr: number, row: Row): Promise<void> {
  const columns = Object.keys(row);
  if (columns.length === 0) return;
  await db.run(`update node set ${columns.join(" = ?, ")} = ? where nr = ?`, ...Object.values(row), nr);
}

const toCountable = (row: Row): Countable => ({
  nr: numberOf(row["nr"]),
  id: textOf(row["id"]),
  tier: row["tier"] as Tier,
  kind: row["kind"] as Countable["kind"],
  parent: numberOrNull(row["parent"] ?? null),
  dependsOn: row["depends_on"] === "[]" ? [] : (JSON.parse(textOf(row["depends_on"])) as Countable["dependsOn"]),
  inbox: row["inbox"] === 1,
  outcome: row["outcome"] === null ? null : toOutcome(row),
  stale: row["approved_hash"] !== null && row["approved_hash"] !== row["hash"],
});

/** Counting needs its kind and its operation. */
const toOutcome = (row: Row): Outcome => ({
  kind: row["outcome"] as Outcome["kind"],
  op: numberOf(row["settled_op"]),
  by: "",
  at: 0,
  reason: null,
});

const toCounts = (row: Row): Counts => ({
  feature: numberOrNull(row["feature"] ?? null),
  shelved: row["shelved"] === 1,
  pending: numberOf(row["pending"]),
  held: row["held"] === 1,
  live: numberOf(row["live"]),
  finished: numberOf(row["finished"]),
  tasksLive: numberOf(row["tasks_live"]),
  tasksFinished: numberOf(row["tasks_finished"]),
  landedOp: numberOrNull(row["landed_op"] ?? null),
  awaited: numberOf(row["awaited"]),
});
