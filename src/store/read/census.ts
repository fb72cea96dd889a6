// Counts tasks by the facts that decide their status: a plan of a million tasks has a few dozen groups. The status of a
// group is decided by `deriveStatus`, for its first member.

import type { WithFootprint } from "../../model/conflict/conflict.js";
import type { Nr } from "../../model/node/node.js";
import type { Database } from "../database.js";
import { FOOTPRINT, toFootprint } from "../rows/node-rows.js";
import { numberOf } from "../rows/values.js";
import { readPlanning } from "./landing.js";
import { readRows } from "./pages.js";

const BELOW = `
  with recursive below (nr) as (
    select cast(? as bigint)
    union all
    select node.nr from node join below on node.parent = below.nr
  )`;

/** Whether something around a task was changed after its approval. Few tasks are held back, so few are asked this. */
const UNDER_STALE = `
  with recursive above (nr) as (
    select node.parent
    union all
    select container.parent from node as container join above on container.nr = above.nr where container.parent is not null
  )
  select case when count(*) > 0 then 1 else 0 end from above join node as container on container.nr = above.nr
  where container.tier not in ('mission', 'initiative') and container.approved_by is not null and container.approved_hash <> container.hash`;

/**
 * Land tasks are also grouped by all that decides whether their feature may land: `landingHolds` (graph) judges each group. A feature
 * without tasks has nothing to land. `planned`: the features in which a planning run is at work.
 */
const facts = (planned: readonly Nr[]): string => `
  node.nr, kind, shelved, outcome, acceptance, archive is null as here, (pending > 0 or held = 1) as waits,
  case when held = 1 then (${UNDER_STALE}) else 0 end as below_stale,
  claim_token is null as free, freeze_reason is null as moving, approved_by is null as unapproved,
  case when approved_hash = '' then 2 when approved_hash = hash then 1 else 0 end as fresh, case when budgets = '{}' then '' else budgets || ':' || attempts end as budget,
  case when kind = 'land' and outcome is null then (
    select case when tasks_live = 0 then 'nothing' when tasks_finished < tasks_live then 'later' else
      case when live - finished > 1 then 'open ' else '' end || case when awaits_plan is null then '' else 'replan ' end
      || case when feature.nr in (${[0, ...planned].join()}) then 'run ' else '' end || case when exists (
        select 1 from node as task where task.feature = feature.nr and task.tier = 'task' and task.kind <> 'land'
          and task.outcome = 'done'
      ) then 'done' else '' end end
    from node as feature where feature.nr = node.feature
  ) end as lands`;

const grouped = (planned: readonly Nr[], source: string, joined: string): string => `
  select min(nr) as nr, count(*) as tasks from (
    select ${facts(planned)}
    from ${source} where ${joined}tier = 'task'
  ) as fact
  where lands is distinct from 'nothing'
  group by kind, shelved, outcome, acceptance, here, waits, below_stale, free, moving, unapproved, fresh, budget, lands
  order by 1`;

/** What else decides the reason of a task that waits: the state of its dependencies, and what is around it. */
const sorts = (planned: readonly Nr[]): string => `
  ${facts(planned)},
    case when outcome is null and pending > 0 then (
      select max(case when target.outcome = 'dropped' then 2
        when target.outcome is null and target.acceptance = 'rejected' then 3 else 1 end)
      from edge join node as target on target.nr = edge.target where edge.node = node.nr
    ) end as stops,
    case when held = 1 then parent end as around,
    case when kind = 'land' and outcome is null then (
      select case when count(*) > 0 then 1 else 0 end from node as task where task.feature = node.feature and task.tier = 'task' and task.kind <> 'land'
        and task.outcome is null and task.acceptance = 'rejected'
    ) end as stopped,
    case when depends_on like '%"conflict"%' then nr end as arbitrated`;

/** The first task that is like each task in all of this. */
export async function readSorts(db: Database): Promise<ReadonlyMap<Nr, Nr>> {
  const first = new Map<string, Nr>();
  const found = new Map<Nr, Nr>();
  for (const { nr, ...decisive } of await readRows(db, sorts(await plannedFeatures(db)), "tier = 'task'")) {
    const sort = Object.values(decisive).join("|");
    const known = first.get(sort);
    if (known === undefined) first.set(sort, nr as Nr);
    found.set(nr as Nr, known ?? (nr as Nr));
  }
  return found;
}

const plannedFeatures = async (db: Database): Promise<Nr[]> => [...(await readPlanning(db)).keys()];

/** Where tasks are counted: in the whole plan, or below a node. */
const areaOf = (within: Nr | undefined) =>
  within === undefined
    ? { start: "", source: "node", joined: "", params: [] }
    : { start: BELOW, source: "below cross join node", joined: "node.nr = below.nr and ", params: [within] };

export async function readReadyFootprints(db: Database, within?: Nr): Promise<WithFootprint[]> {
  const { start, source, joined, params } = areaOf(within);
  const sql = `${start} select ${FOOTPRINT} from ${source}
    where ${joined}ready is not null and (files <> '[]' or symbols <> '[]')`;
  return (await db.all(sql, ...params)).map(toFootprint);
}

export async function readCensus(db: Database, within?: Nr): Promise<{ nr: Nr; tasks: number }[]> {
  const { start, source, joined, params } = areaOf(within);
  const rows = await db.all(`${start} ${grouped(await plannedFeatures(db), source, joined)}`, ...params);
  return rows.map((row) => ({ nr: numberOf(row["nr"]), tasks: numberOf(row["tasks"]) }));
}
