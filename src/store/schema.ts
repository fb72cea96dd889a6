// Forward-only migrations. Reading never migrates: an old schema asks for `planwright upgrade`, which
// makes a backup first; a newer one is worked with unless a migration since then is marked breaking.

import { refused, type Result, ok } from "../graph/result.js";
import type { Database } from "./database.js";
import { workGraph } from "./migrations/0001-work-graph.js";

export interface Migration {
  readonly sql: string;
  /** A program that does not know this migration must not touch the store. */
  readonly breaking: boolean;
}

export const MIGRATIONS: readonly Migration[] = [{ sql: workGraph, breaking: true }];

const META = "create table meta (name text primary key, value integer not null)";

export interface SchemaState {
  readonly version: number;
  /** The latest breaking migration that was applied. */
  readonly breaking: number;
}

export async function readSchema(db: Database): Promise<SchemaState> {
  const rows = await db.all("select name, value from meta");
  const value = (name: string): number => Number(rows.find((row) => row["name"] === name)?.["value"] ?? 0);
  return { version: value("schema"), breaking: value("breaking") };
}

export function judgeSchema(state: SchemaState, migrations = MIGRATIONS): Result<void> {
  const known = migrations.length;
  if (state.version < known) {
    return refused("needs-upgrade", `This plan has schema ${state.version}; this program works with schema ${known}.`, {
      hint: "Run `planwright upgrade`: it makes a backup first.",
      details: { found: state.version, wanted: known },
    });
  }
  if (state.breaking > known) {
    return refused(
      "newer-schema",
      `This plan was written by a newer planwright (schema ${state.version}); this program knows schema ${known}.`,
      { hint: "Install the newer planwright. Nothing was changed.", details: { found: state.version, known } },
    );
  }
  return ok(undefined);
}

/** Inside one transaction of the caller. */
export async function migrate(db: Database, from: number, migrations = MIGRATIONS): Promise<void> {
  if (from === 0) await db.run(META);
  for (const [index, migration] of migrations.entries()) {
    if (index < from) continue;
    for (const statement of statementsIn(migration.sql)) await db.run(statement);
    await set(db, "schema", index + 1);
    if (migration.breaking) await set(db, "breaking", index + 1);
  }
}

const set = (db: Database, name: string, value: number): number | Promise<number> =>
  db.run(
    "insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
    name,
    value,
  );

const statementsIn = (sql: string): string[] =>
  sql.split(/;\s*\n/).map((part) => part.trim()).filter((part) => part !== "");
