// What waits for somebody: tasks that a worker may claim now, and open nodes that only a person can move.

import { BUGS } from "../../model/node/node.js";
import type { Database } from "../database.js";
import { NODE } from "../rows/node-rows.js";
import { numberOf, textOf } from "../rows/values.js";
import type { UnapprovedTasks } from "../store.js";

/** Only its landing may be left: `landingHolds` (graph) says whether it is. Or you approved it before there is a task in it. */
const LANDABLE = `exists (
  select 1 from node as whole where whole.nr = node.feature and whole.tasks_finished = whole.tasks_live
    and (whole.tasks_live > 0 or (whole.approved_by is not null and whole.live = 1 and whole.id <> '${BUGS}'))
)`;

/** Worded like the index `node_for_person`: of 100,000 nodes it has those few that a person may have to look at. */
const MAY_WAIT = `
  outcome is null and archive is null and shelved = 0 and claim_token is null and (
    acceptance = 'pending' or acceptance = 'rejected' or kind = 'gate' or kind = 'land' or approved_hash <> hash or freeze_from = nr
    or (budgets <> '{}' and attempts > 0)
  )`;

export const FOR_PERSON = `
  ${MAY_WAIT} and (
    acceptance in ('pending', 'rejected')
    or (kind = 'gate' and pending = 0 and held = 0)
    or (kind = 'land' and ${LANDABLE})
    or (approved_hash <> hash)
    or (freeze_from = nr and freeze_by not like 'human:%')
    or (budgets <> '{}' and attempts > 0)
  )`;

/** What stops work: rejected, frozen, out of attempts, or waiting for something that was dropped. Found from what was dropped. */
export const STOPPED = `
  nr in (
    select nr from node where ${MAY_WAIT}
      and (acceptance = 'rejected' or freeze_from = nr or (budgets <> '{}' and attempts > 0))
    union
    select edge.node from node as target join edge on edge.target = target.nr where target.outcome = 'dropped'
  )
  and outcome is null and archive is null and shelved = 0 and claim_token is null
  and (acceptance = 'rejected' or freeze_from = nr or (budgets <> '{}' and attempts > 0) or pending > 0)`;

/** Worded like the index `node_unapproved`, which has all that is counted. */
const UNAPPROVED = `
  select tasks, hours, unestimated, holder.id, holder.title, part.feature from (
    select feature, count(*) as tasks, min(nr) as first, coalesce(sum(estimate_hours), 0) as hours,
      count(*) - count(estimate_hours) as unestimated from node
    where tier = 'task' and kind <> 'land' and outcome is null and archive is null and shelved = 0 and approved_by is null
    group by feature
  ) as part join node as holder on holder.nr = coalesce(part.feature, part.first) order by part.first`;

export async function readUnapproved(db: Database): Promise<UnapprovedTasks[]> {
  return (await db.all(UNAPPROVED)).map((row) => ({
    inFeature: row["feature"] !== null,
    id: textOf(row["id"]),
    title: textOf(row["title"]),
    tasks: numberOf(row["tasks"]),
    hours: numberOf(row["hours"]),
    unestimated: numberOf(row["unestimated"]),
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
