// Forward-only migrations. Each one that changes tables is a numbered file.

import type { Database } from "../database.js";
import { rederive } from "../write/rederive.js";
import { chainLog, hashTokens } from "./old-rows.js";
import { type OldOwner, sealOldApprovals } from "./seal-old-approvals.js";
import { awaitedPlan, chain, planning, seals, workGraph } from "./tables.js";

export interface Migration {
  readonly sql: string;
  /** A program that does not know this migration must not touch the store. */
  readonly breaking: boolean;
  /** Derived columns are computed differently from here on. */
  readonly rederives?: true;
  /** Operations are chained from here on. */
  readonly chains?: true;
  /** Tokens of claims are stored as hashes from here on. */
  readonly hashesTokens?: true;
  /** Approvals are signed, one by one, by people whom the plan knows, from here on. */
  readonly seals?: true;
}

export const MIGRATIONS: readonly Migration[] = [
  { sql: workGraph, breaking: true },
  { sql: planning, breaking: true },
  // A mission no longer waits for its inbox, nor for the feature for bugs before there is one.
  { sql: "", breaking: true, rederives: true },
  { sql: chain, breaking: true, chains: true },
  // A container whose change nobody approved holds everything in it back.
  { sql: "", breaking: true, rederives: true },
  { sql: "", breaking: true, hashesTokens: true },
  { sql: awaitedPlan, breaking: true },
  { sql: seals, breaking: true, seals: true },
];

const META = "create table meta (name text primary key, value integer not null)";

/**
 * Inside one transaction of the caller. `owner` is who upgrades; without one, earlier approvals stay as they are. The result is how
 * many approvals wait for a person from now on.
 */
export async function migrate(db: Database, from: number, migrations = MIGRATIONS, owner?: OldOwner): Promise<number> {
  if (from === 0) await db.run(META);
  for (const [index, migration] of migrations.entries()) {
    if (index < from) continue;
    for (const statement of statementsIn(migration.sql)) await db.run(statement);
    await set(db, "schema", index + 1);
    if (migration.breaking) await set(db, "breaking", index + 1);
  }
  // Last, because it reads rows of the newest schema.
  const pending = from > 0 ? migrations.slice(from) : [];
  if (pending.some(({ rederives }) => rederives)) await rederive(db);
  if (pending.some(({ chains }) => chains)) await chainLog(db);
  if (pending.some(({ hashesTokens }) => hashesTokens)) await hashTokens(db);
  return owner && pending.some((migration) => migration.seals) ? sealOldApprovals(db, owner) : 0;
}

const set = (db: Database, name: string, value: number): void | Promise<void> =>
  db.run(
    "insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
    name,
    value,
  );

const statementsIn = (sql: string): string[] =>
  sql
    .split(/;\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
