// Computes the derived columns of every row again, after an upgrade to a program that derives them differently.

import type { Node, Nr } from "../../model/node/node.js";
import { type Countable, type Counts, recomputeCounts } from "../../model/operation/recompute.js";
import { isStale } from "../../model/status/stale.js";
import type { Database } from "../database.js";
import { derivedColumns } from "../rows/node-columns.js";
import { NODE, toNode } from "../rows/node-rows.js";
import { readyOf } from "../write/pending-rows.js";

const PAGE = 5_000;

/** Inside one transaction of the caller. */
export async function rederive(db: Database): Promise<void> {
  const countables: Countable[] = [];
  for await (const node of nodes(db)) {
    const { nr, id, tier, kind, parent, dependsOn, inbox, outcome, awaitsPlan } = node;
    countables.push({ nr, id, tier, kind, parent, dependsOn, inbox, outcome, awaitsPlan, stale: isStale(node) });
  }
  const counts = recomputeCounts(countables);
  for await (const node of nodes(db)) await correct(db, node, counts.get(node.nr) as Counts);
}

async function* nodes(db: Database): AsyncIterable<Node> {
  let after: Nr = -1;
  for (;;) {
    const page = await db.all(`select ${NODE} from node where nr > ? order by nr limit ?`, after, PAGE);
    for (const row of page) {
      const node = toNode(row);
      after = node.nr;
      yield node;
    }
    if (page.length < PAGE) return;
  }
}

async function correct(db: Database, was: Node, counts: Counts): Promise<void> {
  const node = { ...was, ...counts };
  const row = derivedColumns(node, was);
  if (readyOf(node) !== readyOf(was)) row["ready"] = readyOf(node);
  const columns = Object.keys(row);
  if (columns.length === 0) return;
  await db.run(`update node set ${columns.join(" = ?, ")} = ? where nr = ?`, ...Object.values(row), was.nr);
}
