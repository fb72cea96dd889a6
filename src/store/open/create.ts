// Creates a workspace's store, and upgrades one that an older program made.

import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../../base/errors.js";
import type { Failure } from "../../model/result.js";
import { markAsPlan, type SqliteOptions } from "../dialects/sqlite/sqlite.js";
import { StoreFault } from "../fault.js";
import { MIGRATIONS, type Migration, migrate } from "../migrations/migrate.js";
import { judgeSchema, readSchema } from "../migrations/schema.js";
import type { OldOwner } from "../migrations/seal-old-approvals.js";
import type { PeopleOptions, Store } from "../store.js";
import { faultAt, identify, lostPlan, openDatabase, openPlan, storeOn, throwIf, wasPlan } from "./open.js";
import { backUpTo, forgetEnd } from "./side-files.js";

/** Creates the store if there is none. Any number of processes may do this at once. */
export async function createStore(
  options: SqliteOptions,
  people?: PeopleOptions,
): Promise<{ store: Store; created: boolean }> {
  const { path } = options;
  if (!existsSync(path) && wasPlan(path)) throw new StoreFault(lostPlan(path));
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // SQLite gives its other files the mode of this one. The plan may hold what nobody else should read.
    if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    if (!existsSync(path)) throw new StoreFault(cannotCreate(dirname(path), error), error);
  }
  const db = await openDatabase(options, "create");
  try {
    const created = await db.write(async () => {
      if ((await identify(db, path)) === "ours") return { keep: false, value: false };
      if (wasPlan(path)) throw new StoreFault(lostPlan(path));
      await markAsPlan(db);
      await migrate(db, 0);
      forgetEnd(path);
      return { keep: true, value: true };
    });
    throwIf(judgeSchema(await readSchema(db)));
    return { store: storeOn(db, path, null, people), created };
  } catch (error) {
    await db.close();
    return faultAt(path)(error);
  }
}

const cannotCreate = (folder: string, error: unknown): Failure => ({
  kind: "refused",
  reason: "read-only",
  message: `The folder ${folder} cannot be made: ${messageOf(error)}. Use a folder that you may write to.`,
});

export interface Upgrade {
  readonly from: number;
  readonly to: number;
  /** Null when there was nothing to do. */
  readonly backup: string | null;
  /** Approvals that wait until a person confirms them. */
  readonly unconfirmed?: number;
}

export const upgradeStore = (
  options: SqliteOptions,
  now: number,
  migrations: readonly Migration[] = MIGRATIONS,
  owner?: OldOwner,
): Promise<Upgrade> =>
  openPlan(options, async (db) => {
    const { version: from } = await readSchema(db);
    const to = migrations.length;
    if (from >= to) {
      throwIf(judgeSchema(await readSchema(db), to));
      await db.close();
      return { from, to: from, backup: null };
    }
    const stamp = new Date(now).toISOString().replace(/[:.]/g, "-");
    const backup = join(dirname(options.path), "backups", `plan-schema-${from}-${stamp}.db`);
    await backUpTo(db, backup);
    chmodSync(options.path, 0o600);
    const unconfirmed = await db
      .write(async () => {
        const { version } = await readSchema(db);
        return { keep: true, value: version < to ? await migrate(db, version, migrations, owner) : 0 };
      })
      .catch((error: unknown) => {
        // A refusal, which leaves nothing behind. After anything else the backup may be needed.
        if (error instanceof StoreFault) rmSync(backup, { force: true });
        throw error;
      });
    await db.close();
    return { from, to, backup, ...(unconfirmed > 0 && { unconfirmed }) };
  });
