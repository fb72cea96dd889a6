// Opens, creates and upgrades a workspace's store. Opening never creates and never migrates.

import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Failure, Result } from "../graph/result.js";
import { commit } from "./commit.js";
import type { Database } from "./database.js";
import { damaged, faultOf, StoreFault } from "./fault.js";
import { DatabaseReader } from "./reader.js";
import { judgeSchema, MIGRATIONS, migrate, type Migration, readSchema } from "./schema.js";
import { openSqlite, type SqliteOptions } from "./sqlite.js";
import type { Store } from "./store.js";
import { verify } from "./verify.js";

/** Marks an SQLite file as ours: "PLWR". */
const APPLICATION_ID = 0x504c5752;

const faultAt =
  (path: string) =>
  (error: unknown): never => {
    throw faultOf(error, path);
  };

function open(options: SqliteOptions): Database {
  try {
    return openSqlite(options);
  } catch (error) {
    return faultAt(options.path)(error);
  }
}

const throwIf = <T>(result: Result<T>): void => {
  if (!result.ok) throw new StoreFault(result.error);
};

/** `blank`: a file that was just created, or whose creation was interrupted. */
async function identify(db: Database, path: string): Promise<"ours" | "blank"> {
  const id = (await db.get("pragma application_id"))?.["application_id"];
  if (id === APPLICATION_ID) return "ours";
  const { tables } = (await db.get("select count(*) as tables from sqlite_master")) as { tables: number };
  if (id === 0 && tables === 0) return "blank";
  throw new StoreFault(damaged(path, "it is the database of another program"));
}

/** Throws a StoreFault when there is no usable store at the path. */
export async function openStore(options: SqliteOptions): Promise<Store> {
  const { path } = options;
  if (!existsSync(path) || statSync(path).size === 0) throw new StoreFault(noPlan(path));
  const db = open(options);
  try {
    if ((await identify(db, path)) === "blank") throw new StoreFault(noPlan(path));
    throwIf(judgeSchema(await readSchema(db)));
  } catch (error) {
    await db.close();
    return faultAt(path)(error);
  }
  return storeOn(db, path);
}

export const noPlan = (path: string): Failure => ({
  kind: "absent",
  reason: "no-workspace",
  message: `There is no plan at ${path}.`,
  hint: "Run `planwright init` to start one.",
});

/** Creates the store if there is none. Any number of processes may do this at once. */
export async function createStore(options: SqliteOptions): Promise<{ store: Store; created: boolean }> {
  const { path } = options;
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw new StoreFault(cannotCreate(dirname(path), error), error);
  }
  const db = open(options);
  try {
    const created = await db.write(async () => {
      if ((await identify(db, path)) === "ours") return { keep: false, value: false };
      await db.run(`pragma application_id = ${APPLICATION_ID}`);
      await migrate(db, 0);
      return { keep: true, value: true };
    });
    throwIf(judgeSchema(await readSchema(db)));
    return { store: storeOn(db, path), created };
  } catch (error) {
    await db.close();
    return faultAt(path)(error);
  }
}

const cannotCreate = (folder: string, error: unknown): Failure => ({
  kind: "refused",
  reason: "read-only",
  message: `The folder ${folder} cannot be made: ${error instanceof Error ? error.message : String(error)}.`,
  hint: "Run `planwright init` in a folder that you may write to.",
});

export interface Upgrade {
  readonly from: number;
  readonly to: number;
  /** Null when there was nothing to do. */
  readonly backup: string | null;
}

/** A backup first, then all pending migrations in one transaction. */
export async function upgradeStore(
  options: SqliteOptions,
  now: number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Upgrade> {
  const { path } = options;
  if (!existsSync(path)) throw new StoreFault(noPlan(path));
  const db = open(options);
  try {
    if ((await identify(db, path)) === "blank") throw new StoreFault(noPlan(path));
    const { version } = await readSchema(db);
    if (version >= migrations.length) {
      throwIf(judgeSchema(await readSchema(db), migrations));
      return { from: version, to: version, backup: null };
    }
    const backup = await backUp(db, path, version, now);
    await db.write(async () => {
      const { version: current } = await readSchema(db);
      if (current < migrations.length) await migrate(db, current, migrations);
      return { keep: true, value: undefined };
    });
    return { from: version, to: migrations.length, backup };
  } catch (error) {
    return faultAt(path)(error);
  } finally {
    await db.close();
  }
}

async function backUp(db: Database, path: string, version: number, now: number): Promise<string> {
  const folder = join(dirname(path), "backups");
  mkdirSync(folder, { recursive: true });
  const stamp = new Date(now).toISOString().replace(/[:.]/g, "-");
  const backup = join(folder, `plan-schema-${version}-${stamp}.db`);
  await db.run("vacuum into ?", backup);
  return backup;
}

function storeOn(db: Database, path: string): Store {
  const reader = new DatabaseReader(db);
  const fault = faultAt(path);
  return {
    read: (work) => db.read(() => work(reader)).catch(fault),
    commit: (intent, decide) => commit(db, intent, decide).catch(fault),
    verify: () => db.read(() => verify(db)).catch(fault),
    version: async () => db.version(),
    close: async () => db.close(),
  };
}
