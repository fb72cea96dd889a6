// Queries of the operation log: by actor, time, node, and whether an operation is undone; and the whole log, in order.

import type { LoggedOperation } from "../../model/operation/operation.js";
import { STEPS, UPKEEP } from "../../model/operation/undo.js";
import type { Database, Row, Value } from "../database.js";
import { type ChainEnd, changeNr, LinkHash, toOperation } from "../rows/log-rows.js";
import { numberOf, textOf } from "../rows/values.js";
import type { Density, DensityQuery, LogQuery } from "../store.js";
import { readPages } from "./pages.js";

/** The latest undo of an operation has no redo after it. */
const TAKEN_BACK = `
  exists (select 1 from operation u where u.undoes = o.op
    and not exists (select 1 from operation r where r.redoes = o.op and r.op > u.op))`;

const FIRST_HAND = "o.undoes is null and o.redoes is null";

const noneOf = (verbs: readonly string[]): string => `o.verb not in (${verbs.map((verb) => `'${verb}'`).join()})`;

/** Upkeep and the steps of a run cannot be undone. */
const NO_UPKEEP = noneOf(UPKEEP);
const NO_STEP = noneOf(STEPS);

const TOUCHED = "o.op in (select op from change where key = ? and entity = 'node' and op > ? and op < ?)";

const BESIDE = `
  o.op in (select change.op from item join change on change.key = item.key and change.entity = item.entity
    where item.entity in ('comment', 'labels') and item.owner = ? and change.op > ? and change.op < ?)`;

/** Changed a row that another operation changed. */
const OVERLAPS = `
  o.op in (select theirs.op from change ours
    join change theirs on theirs.key = ours.key and theirs.entity = ours.entity
    where ours.nr >= ? and ours.nr < ? and ours.entity <> 'focus' and theirs.op > ?)`;

const OF = `
  o.op in (select cast(? as bigint) union all select op from operation where undoes = ?
    union all select op from operation where redoes = ?)`;

export async function listOperations(db: Database, query: LogQuery): Promise<LoggedOperation[]> {
  if (query.state === "undone") return listUndone(db, query);
  const { limit, node, about, until, actor, verbs, overlaps, of, after = 0, before = Number.MAX_SAFE_INTEGER } = query;
  const where: string[] = ["o.op > ? and o.op < ?"];
  const params: Value[] = [after, before];
  const ask = (condition: string, ...values: Value[]): void => {
    where.push(condition);
    params.push(...values);
  };
  if (node !== undefined) ask(TOUCHED, String(node), after, before);
  if (about !== undefined) {
    const key = String(about);
    ask(`(${TOUCHED} or ${BESIDE})`, key, after, before, key, after, before);
  }
  if (until !== undefined) ask("o.at <= ?", until);
  if (actor !== undefined) ask("o.actor = ?", actor);
  if (verbs !== undefined) ask(`o.verb in (${verbs.map(() => "?").join()})`, ...verbs);
  if (overlaps !== undefined) ask(OVERLAPS, changeNr(overlaps, 0), changeNr(overlaps + 1, 0), after);
  if (of !== undefined) ask(OF, of, of, of);
  if (query.state !== undefined) ask(`${FIRST_HAND} and ${NO_UPKEEP} and not ${TAKEN_BACK}`);
  if (query.state === "standing") ask(NO_STEP);
  const sql = `select o.* from operation o where ${where.join(" and ")} order by o.op desc limit ?`;
  return (await db.all(sql, ...params, limit)).map(toOperation);
}

/** The last undone comes first. `actor`: who undid it. */
async function listUndone(db: Database, { limit, actor }: LogQuery): Promise<LoggedOperation[]> {
  const rows = await db.all(
    `select o.* from operation u join operation o on o.op = u.undoes
     where u.undoes is not null${actor === undefined ? "" : " and u.actor = ?"}
       and not exists (select 1 from operation l where (l.undoes = o.op or l.redoes = o.op) and l.op > u.op)
     order by u.op desc limit ?`,
    ...(actor === undefined ? [] : [actor]),
    limit,
  );
  return rows.map(toOperation);
}

const DOER = "case when actor like 'human:%' then 'human' when actor like 'daemon:%' then 'daemon' else 'agent' end";

export async function readDensity(db: Database, query: DensityQuery): Promise<Density> {
  const { slotMs, from, to, verbs, limit } = query;
  const slots = await db.all(
    `select (at / ${Math.round(slotMs)}) as slot, ${DOER} as doer,
       count(*) as operations, max(op) as last
     from operation where at >= ? and at <= ? group by 1, 2 order by 1, 2`,
    from,
    to,
  );
  const marks = await db.all(
    `select op, at, verb from operation where at >= ? and at <= ? and verb in (${verbs.map(() => "?").join()})
     order by op desc limit ${limit}`,
    from,
    to,
    ...verbs,
  );
  return {
    slots: slots.map((row) => ({
      slot: numberOf(row["slot"]) * slotMs,
      by: textOf(row["doer"]),
      operations: numberOf(row["operations"]),
      last: numberOf(row["last"]),
    })),
    marks: marks
      .map((row) => ({ op: numberOf(row["op"]), at: numberOf(row["at"]), verb: textOf(row["verb"]) }))
      .reverse(),
  };
}

const LOG = "select * from operation where op > ? order by op limit ?";

/** `hash`: the operation's link, if it follows this end of the chain. `onChange` sees every change on the way. */
export async function* readLog(db: Database) {
  for await (const operation of readPages(db, LOG, [0], (last) => [numberOf(last["op"])])) {
    const hash = (before: ChainEnd, onChange?: (change: Row) => void) => hashOf(db, operation, before, onChange);
    yield { operation, hash };
  }
}

const CHANGES = "select * from change where nr >= ? and nr < ? order by nr limit ?";

async function hashOf(
  db: Database,
  operation: Row,
  before: ChainEnd,
  onChange: ((change: Row) => void) | undefined,
): Promise<string> {
  const link = new LinkHash(before, operation);
  const op = operation["op"] as number;
  const end = changeNr(op + 1, 0);
  const after = (last: Row): Value[] => [numberOf(last["nr"]) + 1, end];
  for await (const change of readPages(db, CHANGES, [changeNr(op, 0), end], after)) {
    link.add(textOf(change["entity"]), textOf(change["key"]), change["before"], change["after"]);
    onChange?.(change);
  }
  return link.end();
}
