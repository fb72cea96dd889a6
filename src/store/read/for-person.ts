// What waits for somebody: tasks that a worker may claim now, and open nodes that only a person can move. The latter reads every row
// once, like the census, and decodes only those.

import type { Nr } from "../../model/node/node.js";
import type { Database } from "../database.js";
import { NODE } from "../rows/node-rows.js";
import type { UnapprovedTasks } from "../store.js";

/** Only its landing may be left: `landingHolds` (graph) says whether it is. */
const LANDABLE = `exists (
  select 1 from node as whole
  where whole.nr = node.feature and whole.tasks_live > 0 and whole.tasks_finished = whole.tasks_live
)`;

export const FOR_PERSON = `
  outcome is null and archive is null and shelved = 0 and claim_token is null and (
    acceptance in ('pending', 'rejected')
    or (kind = 'gate' and pending = 0 and held = 0)
    or (kind = 'land' and ${LANDABLE})
    or (approved_hash <> hash)
    or (freeze_from = nr and freeze_by not like 'human:%')
    or (budgets <> '{}' and attempts > 0)
  )`;

/** What stops work: rejected, frozen, out of attempts, or waiting for something that was dropped. */
export const STOPPED = `
  outcome is null and archive is null and shelved = 0 and claim_token is null and (
    acceptance = 'rejected' or freeze_from = nr or (budgets <> '{}' and attempts > 0)
    or (pending > 0 and exists (
      select 1 from edge join node as target on target.nr = edge.target
      where edge.node = node.nr and target.outcome = 'dropped'
    ))
  )`;

const UNAPPROVED = `
  select feature, count(*) as tasks, min(nr) as first, coalesce(sum(estimate_hours), 0) as hours,
    count(*) - count(estimate_hours) as unestimated from node
  where tier = 'task' and kind <> 'land' and outcome is null and archive is null and shelved = 0 and approved_by is null
  group by feature order by first`;

export async function readUnapproved(db: Database): Promise<UnapprovedTasks[]> {
  return (await db.all(UNAPPROVED)).map((row) => ({
    feature: row["feature"] as Nr | null,
    tasks: row["tasks"] as number,
    hours: row["hours"] as number,
    unestimated: row["unestimated"] as number,
    first: row["first"] as Nr,
  }));
}

/** Features, and whatever holds tasks without one, for `next --in` on a node above features. */
export const HOLDERS = `
  with recursive below (nr, tier, feature) as (
    select nr, tier, feature from node where nr = ?
    union all
    select node.nr, node.tier, node.feature from node join below on node.parent = below.nr
    where below.tier in ('mission', 'initiative') and node.tier <> 'task'
  )`;

export const claimableWhere = (where: string, limit: number): string =>
  `select ${NODE} from node where ${where} ready is not null order by ready, nr limit ${limit}`;

/** Uses the index of ready tasks in a feature. An index by parent would be written with every claim, and is rarely used. */
export const IN_PARENT = "feature is not distinct from ? and parent = ? and";
