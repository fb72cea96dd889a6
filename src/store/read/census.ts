// Counts tasks by the facts that decide their status: a plan of a million tasks has a few dozen groups. The status of a
// group is decided by `deriveStatus`, for its first member.

import type { WithFootprint } from "../../model/conflict/conflict.js";
import type { Nr, Tier } from "../../model/node/node.js";
import { isFrame } from "../../model/status/stale-approval.js";
import type { Database, Row } from "../database.js";
import { FOOTPRINT, toFootprint } from "../rows/node-rows.js";
import { numberOf, numberOrNull, textOf, textOrNull } from "../rows/values.js";
import type { TaskSort } from "../store.js";
import { readPlanning } from "./landing.js";

const BELOW = `
  with recursive below (nr) as (
    select cast(? as bigint)
    union all
    select node.nr from node join below on node.parent = below.nr
  )`;

/**
 * A task's own facts as one text, worded like the index `node_sort`: counting 100,000 tasks by it takes 5 ms instead of 400, and the
 * tasks of one sort are found without the others. A task that something around it holds back ends with `@` and its parent.
 */
export const SORT = `(
  substr(kind, 1, 1) || shelved || coalesce(substr(outcome, 1, 2), '--') || coalesce(substr(acceptance, 1, 1), '-')
  || case when archive is null then 1 else 0 end || case when pending > 0 or held = 1 then 1 else 0 end
  || case when claim_token is null then 1 else 0 end || case when freeze_reason is null then 1 else 0 end
  || case when approved_by is null then 1 else 0 end
  || case when approved_hash = '' then 2 when approved_hash = hash then 1 else 0 end
  || case when budgets = '{}' then '' else budgets || ':' || attempts end
  || case when held = 1 and outcome is null then '@' || parent else '' end
)`;

/** An open land task also follows from all that decides whether its feature may land. */
const isOpenLand = (sort: string): boolean => sort.startsWith("l") && sort.slice(2, 4) === "--";

/** What holds a task back is around it. */
const HELD = "@";

/**
 * Land tasks are grouped by all that decides whether their feature may land: `landingHolds` (graph) judges each group. A feature
 * without tasks has nothing to land. `planned`: the features in which a planning run is at work.
 */
const lands = (planned: readonly Nr[]): string => `
  case when kind = 'land' and outcome is null then (
    select case when tasks_live = 0 then 'nothing' when tasks_finished < tasks_live then 'later' else
      case when live - finished > 1 then 'open ' else '' end || case when awaits_plan is null then '' else 'replan ' end
      || case when feature.nr in (${[0, ...planned].join()}) then 'run ' else '' end || case when exists (
        select 1 from node as task where task.feature = feature.nr and task.tier = 'task' and task.kind <> 'land'
          and task.outcome = 'done'
      ) then 'done' else '' end end
    from node as feature where feature.nr = node.feature
  ) end as lands`;

/** What else decides the reason of a task that waits: the state of its dependencies, and what is around it. */
const sorts = (planned: readonly Nr[]): string => `
  nr, ${SORT} as sort, ${lands(planned)},
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

/** Of each of these tasks a text: those with the same one have the same status for the same reason. */
export async function readSorts(db: Database, tasks: readonly Nr[]): Promise<ReadonlyMap<Nr, string>> {
  if (tasks.length === 0) return new Map();
  const sql = `select ${sorts(await plannedFeatures(db))} from node where nr in (${tasks.map(() => "?").join()}) and tier = 'task'`;
  const rows = await db.all(sql, ...tasks);
  return new Map(rows.map(({ nr, ...decisive }) => [nr as Nr, Object.values(decisive).join("|")]));
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

export async function readFootprints(db: Database, nodes: readonly Nr[]): Promise<WithFootprint[]> {
  if (nodes.length === 0) return [];
  const sql = `select ${FOOTPRINT} from node where nr in (${nodes.map(() => "?").join()}) order by nr`;
  return (await db.all(sql, ...nodes)).map(toFootprint);
}

interface CountedSort {
  readonly nr: Nr;
  readonly tasks: number;
}

export async function readCensus(db: Database, within?: Nr): Promise<CountedSort[]> {
  const { start, source, joined, params } = areaOf(within);
  const ask = (columns: string, where: string, grouped: string): Row[] | Promise<Row[]> =>
    db.all(`${start} select ${columns} from ${source} where ${joined}${where} group by ${grouped}`, ...params);
  const isStale = staleAround(db);
  const counted = new Map<string, CountedSort>();
  const add = (sort: string, row: Row): void => {
    const [nr, tasks] = [numberOf(row["nr"]), numberOf(row["tasks"])];
    const known = counted.get(sort) ?? { nr, tasks: 0 };
    counted.set(sort, { nr: Math.min(nr, known.nr), tasks: known.tasks + tasks });
  };
  for (const row of await ask(`${SORT} as sort, min(node.nr) as nr, count(*) as tasks`, "tier = 'task'", SORT)) {
    const sort = textOf(row["sort"]);
    if (!isOpenLand(sort)) add(await freed(sort, isStale), row);
  }
  const open = `select ${SORT} as sort, ${lands(await plannedFeatures(db))}, node.nr as nr from ${source}
    where ${joined}kind = 'land' and outcome is null`;
  const grouped = `${start} select sort, lands, min(nr) as nr, count(*) as tasks from (${open}) as fact
    where lands is distinct from 'nothing' group by sort, lands`;
  for (const row of await db.all(grouped, ...params)) {
    add(`${await freed(textOf(row["sort"]), isStale)} ${row["lands"] ?? ""}`, row);
  }
  return [...counted.values()].sort((a, b) => a.nr - b.nr);
}

/** Of what holds a task back, its status follows only from whether something around it was changed after its approval. */
async function freed(sort: string, isStale: (parent: Nr) => Promise<boolean>): Promise<string> {
  const at = sort.lastIndexOf(HELD);
  return at < 0 ? sort : `${sort.slice(0, at + 1)}${await isStale(Number(sort.slice(at + 1)))}`;
}

const AROUND = `
  select parent, tier, case when approved_by is not null and approved_hash <> hash then 1 else 0 end as stale
  from node where nr = ?`;

/** Whether a container, or one around it, was changed after its approval. */
function staleAround(db: Database): (nr: Nr) => Promise<boolean> {
  const known = new Map<Nr, boolean>();
  return async function isStale(nr): Promise<boolean> {
    const found = known.get(nr);
    if (found !== undefined) return found;
    const row = await db.get(AROUND, nr);
    const parent = numberOrNull(row?.["parent"] ?? null);
    const own = row?.["stale"] === 1 && !isFrame({ tier: row["tier"] as Tier });
    const stale = own || (parent !== null && (await isStale(parent)));
    known.set(nr, stale);
    return stale;
  };
}

/** From one sort to the next in the index. Those that something around them holds back are one, whatever it is. */
export async function readTaskSorts(db: Database): Promise<TaskSort[]> {
  const found: TaskSort[] = [];
  for (let after = ""; ; ) {
    const row: Row | undefined = await db.get(NEXT_SORT, after);
    const sort = textOrNull(row?.["sort"] ?? null);
    if (sort === null) return found;
    const first = await db.get(FIRST_OF_SORT, sort);
    const at = sort.lastIndexOf(HELD);
    found.push({
      sort,
      nr: numberOf(first?.["nr"]),
      besides: isOpenLand(sort) ? "landing" : at < 0 ? "nothing" : "around",
    });
    after = at < 0 ? sort : `${sort.slice(0, at)}${HELD}~`;
  }
}

const NEXT_SORT = `select min(${SORT}) as sort from node where tier = 'task' and ${SORT} > ?`;
const FIRST_OF_SORT = `select min(nr) as nr from node where tier = 'task' and ${SORT} = ?`;
