// A database of its own with the plan beside it, as `live`: for copies of the plan's rows as they were, and for a look at a plan whose file
// must stay free.

import type { Database } from "../../database.js";
import { changeNr } from "../../rows/log-rows.js";
import { textOf } from "../../rows/values.js";
import { openSqlite } from "./sqlite.js";

/** An empty database in memory, or a file that may be lost, with the plan beside it. */
export async function openBeside(path: string, file = ":memory:"): Promise<Database> {
  const db = await openSqlite({ path: file, durability: "normal", engine: "auto", hasLookups: false }, "leave");
  await db.run("attach database ? as live", path);
  if (file === ":memory:") return db;
  await db.get("pragma main.journal_mode = memory");
  await db.run("pragma main.synchronous = off");
  return db;
}

export async function closeBeside(db: Database): Promise<void> {
  await db.run("detach database live");
  await db.close();
}

/** Tables of the plan, and their keys. The log and the long texts are read from the file. */
const COPIED: readonly (readonly [table: string, key: string])[] = [
  ["node", "nr"],
  ["edge", "node, target"],
  ["focus", "actor"],
  ["item", "entity, key"],
];

/** The log up to this moment, by the names that readers use. */
export async function showLog(db: Database, op: number): Promise<void> {
  await db.run("create temp table moment (op integer not null)");
  await db.run("insert into moment values (?)", op);
  await db.run("create temp view operation as select * from live.operation where op <= (select op from moment)");
  await db.run(
    `create temp view change as select * from live.change where nr < (select (op + 1) * ${changeNr(1, 0)} from moment)`,
  );
}

/** Without checks and references, which hold at every moment but not while it moves from one to another. */
export async function copyRows(db: Database): Promise<void> {
  for (const [table, key] of COPIED) await copyTable(db, table, key);
}

async function copyTable(db: Database, table: string, key: string): Promise<void> {
  const columns = await db.all(`select name, dflt_value as usual from pragma_table_info('${table}', 'live')`);
  const declared = columns.map(
    ({ name, usual }) => `${name}${name === "nr" ? " integer" : ""}${usual === null ? "" : ` default ${usual}`}`,
  );
  await db.run(`create table main.${table} (${declared.join(", ")}, primary key (${key}))`);
  await db.run(`insert into main.${table} select * from live.${table}`);
  const indexes = await db.all(
    "select sql from live.sqlite_master where type = 'index' and tbl_name = ? and sql is not null",
    table,
  );
  for (const { sql } of indexes) await db.run(textOf(sql).replace(/unique/i, ""));
}

/** A state that another version kept may lack columns, or have others. */
export async function requireSameColumns(db: Database): Promise<void> {
  for (const [table] of COPIED) {
    const [kept, live] = [await columnsOf(db, table, "main"), await columnsOf(db, table, "live")];
    if (kept !== live) throw new Error(`The kept state has other columns in ${table}.`);
  }
}

const columnsOf = async (db: Database, table: string, schema: "main" | "live"): Promise<string> =>
  (await db.all(`select name, dflt_value as usual from pragma_table_info('${table}', '${schema}') order by name`))
    .map(({ name, usual }) => `${name} ${usual}`)
    .join();

export async function inTransaction<T>(db: Database, work: () => Promise<T>): Promise<T> {
  await db.run("begin");
  try {
    const value = await work();
    await db.run("commit");
    return value;
  } catch (error) {
    await db.run("rollback");
    throw error;
  }
}
