// Finds open nodes that only a person can move. It reads every row once, like the census, and decodes only those.

import type { Nr } from "../../model/node/node.js";
import type { Database } from "../database.js";
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
  select feature, count(*) as tasks, min(nr) as first, total(estimate_hours) as hours,
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
