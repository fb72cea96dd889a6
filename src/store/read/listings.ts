// Nodes that may fit what is asked for, page by page in the order of creation: whoever asks stops when there are enough. An index gives
// the numbers where there is one: of trigrams, of files, or of tasks that are alike in all that decides their status.

import { placesOfPath } from "../../model/conflict/glob.js";
import type { Kind, Nr, Tier } from "../../model/node/node.js";
import type { SoughtGrams } from "../../model/searched-text.js";
import type { Database, Row, Value } from "../database.js";
import { toList } from "../rows/node-rows.js";
import { numberOf, numberOrNull, numbersIn, textOf, textOrNull } from "../rows/values.js";
import type { ListedRow, ListQuery } from "../store.js";
import { SORT } from "./census.js";

const FIRST_PAGE = 200;
const PAGE = 500;

/** The next numbers above one, in order; fewer than asked for are the last ones. */
type Numbers = (after: Nr, limit: number) => Promise<Nr[]>;

export async function* pageListings(db: Database, query: ListQuery): AsyncGenerator<ListedRow[], void, void> {
  const numbers = numbersFor(db, query);
  for (let after = query.after ?? 0, limit = FIRST_PAGE; ; limit = PAGE) {
    const rows = numbers === null ? await scan(db, query, after, limit) : undefined;
    const found = rows ? numbersIn(rows) : await (numbers as Numbers)(after, limit);
    const page = rows ?? (await readRows(db, query, found));
    if (page.length > 0) yield page.map(toListing);
    const last = found.at(-1);
    if (last === undefined || found.length < limit) return;
    after = last;
  }
}

/** Null: every node has to be looked at. Of two indexes the narrower one is taken: the rows are compared with all that is asked for. */
function numbersFor(db: Database, { among, text, file, sorts }: ListQuery): Numbers | null {
  if (among !== undefined) return amongThese([...among].sort((a, b) => a - b));
  if (db.hasLookups && file !== undefined) return withFile(db, file);
  if (db.hasLookups && text) return withGrams(db, text);
  return sorts === undefined ? null : ofSorts(db, sorts);
}

const amongThese =
  (among: readonly Nr[]): Numbers =>
  async (after, limit) => {
    const from = among.findIndex((nr) => nr > after);
    return from < 0 ? [] : among.slice(from, from + limit);
  };

function withFile(db: Database, file: string): Numbers {
  const places = placesOfPath(file);
  const sql = `select distinct node as nr from node_file where place in (${places.map(() => "?").join()}) and node > ?
    order by node limit ?`;
  return async (after, limit) => numbersIn(await db.all(sql, ...places, after, limit));
}

function withGrams(db: Database, ways: NonNullable<SoughtGrams>): Numbers {
  const quoted = (gram: string): string => `"${gram.replaceAll('"', '""')}"`;
  const allOf = ways.map((grams) => `(${grams.map(quoted).join(" AND ")})`).join(" OR ");
  return async (after, limit) => numbersIn(await db.all(db.sql.lookup.find, allOf, after, limit));
}

/** Containers have no sort: each of them is looked at. */
function ofSorts(db: Database, sorts: readonly string[]): Numbers {
  const parts = ["tier <> 'task'", ...sorts.map(() => `tier = 'task' and ${SORT} = ?`)];
  const sql = `${parts.map((part) => `select nr from node where ${part} and nr > ?`).join(" union all ")} order by nr limit ?`;
  return async (after, limit) => numbersIn(await db.all(sql, after, ...sorts.flatMap((sort) => [sort, after]), limit));
}

function columns({ texts, files }: ListQuery): string {
  return `nr, id, tier, kind, parent, profile, priority, title, updated_at,
    case when archive is not null or outcome = 'dropped' then 1 else 0 end as hidden,
    ${texts ? "body" : "'' as body"}, ${files ? "files" : "'[]' as files"}`;
}

function wanted({ tiers, kinds, hidden }: ListQuery): { sql: string; params: Value[] } {
  const marks = (values: readonly Value[]): string => values.map(() => "?").join();
  const parts = [
    ...(tiers ? [`tier in (${marks(tiers)})`] : []),
    ...(kinds ? [`kind in (${marks(kinds)})`] : []),
    ...(hidden === false ? ["archive is null and outcome is distinct from 'dropped'"] : []),
  ];
  return { sql: parts.map((part) => ` and ${part}`).join(""), params: [...(tiers ?? []), ...(kinds ?? [])] };
}

async function scan(db: Database, query: ListQuery, after: Nr, limit: number): Promise<Row[]> {
  const { sql, params } = wanted(query);
  const said = `select ${columns(query)} from node where nr > ?${sql} order by nr limit ?`;
  return db.all(said, after, ...params, limit);
}

async function readRows(db: Database, query: ListQuery, numbers: readonly Nr[]): Promise<Row[]> {
  if (numbers.length === 0) return [];
  const { sql, params } = wanted(query);
  const marks = numbers.map(() => "?").join();
  return db.all(`select ${columns(query)} from node where nr in (${marks})${sql} order by nr`, ...numbers, ...params);
}

const toListing = (row: Row): ListedRow => ({
  nr: numberOf(row["nr"]),
  id: textOf(row["id"]),
  tier: row["tier"] as Tier,
  kind: row["kind"] as Kind | null,
  parent: numberOrNull(row["parent"]),
  profile: textOrNull(row["profile"]),
  priority: numberOrNull(row["priority"]),
  title: textOf(row["title"]),
  body: textOf(row["body"]),
  files: toList(row["files"]),
  updatedAt: numberOf(row["updated_at"]),
  isHidden: row["hidden"] === 1,
});
