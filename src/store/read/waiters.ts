// Who waits for whom, in the few columns that counting held-up work needs: a whole node takes five times as long to read.

import type { Kind, Nr, Tier } from "../../model/node/node.js";
import type { Database, Row } from "../database.js";
import { numberOf, numberOrNull, textOf } from "../rows/values.js";
import type { OpenNode } from "../store.js";

const COLUMNS = "node.nr, node.id, node.tier, node.kind, node.parent, node.estimate_hours";
const IS_OPEN = "node.outcome is null and node.archive is null and node.shelved = 0";

const toOpenNode = (row: Row): OpenNode => ({
  nr: numberOf(row["nr"]),
  id: textOf(row["id"]),
  tier: row["tier"] as Tier,
  kind: row["kind"] as Kind | null,
  parent: numberOrNull(row["parent"]),
  estimateHours: numberOrNull(row["estimate_hours"]),
});

/** `cross join` makes SQLite start from the few descendants. Not sorted: it ends as soon as there are enough. */
const OPEN_TASKS_BELOW = `
  with recursive below (nr) as (
    select nr from node where parent = ?
    union all
    select node.nr from node join below on node.parent = below.nr
  )
  select ${COLUMNS} from below cross join node where node.nr = below.nr and node.tier = 'task' and ${IS_OPEN} limit ?`;

export const listOpenTasksBelow = async (db: Database, nr: Nr, limit: number): Promise<OpenNode[]> =>
  (await db.all(OPEN_TASKS_BELOW, nr, limit)).map(toOpenNode);

/** Lists are filled up to one of these lengths, so that SQLite keeps four statements and not one for each length. */
const LENGTHS = [4, 32, 256, 1_024] as const;
const LONGEST = 1_024;

export async function listWaiters(db: Database, targets: readonly Nr[], limit: number): Promise<OpenNode[]> {
  const found: OpenNode[] = [];
  for (let from = 0; from < targets.length && found.length < limit; from += LONGEST) {
    const some = targets.slice(from, from + LONGEST);
    const length = LENGTHS.find((each) => each >= some.length) ?? LONGEST;
    const filled = [...some, ...Array.from({ length: length - some.length }, () => some[0] as Nr)];
    const marks = filled.map(() => "?").join();
    const sql = `select ${COLUMNS} from node
      where node.nr in (select edge.node from edge where edge.target in (${marks})) and ${IS_OPEN} limit ${limit}`;
    found.push(...(await db.all(sql, ...filled)).map(toOpenNode));
  }
  return found;
}
