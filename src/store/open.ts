// Opens a workspace's store. Opening never creates and never migrates. The code for writing is loaded when it is needed.

import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { step } from "../graph/next-step.js";
import type { Failure, Result } from "../graph/result.js";
import type { Database } from "./database.js";
import { openSqlite, type SqliteOptions } from "./dialects/sqlite/sqlite.js";
import { damaged, faultOf, StoreFault } from "./fault.js";
import { CommitSignal } from "./follow/commit-signal.js";
import { APPLICATION_ID, judgeSchema, readSchema } from "./migrations/schema.js";
import { DatabaseReader } from "./read/reader.js";
import type { Store } from "./store.js";
import type * as Commit from "./write/commit.js";

export const faultAt =
  (path: string) =>
  (error: unknown): never => {
    throw faultOf(error, path);
  };

export async function openDatabase(options: SqliteOptions, blank: "create" | "leave"): Promise<Database> {
  try {
    return await openSqlite(options, blank);
  } catch (error) {
    if (statSync(options.path, { throwIfNoEntry: false })?.isDirectory()) {
      throw new StoreFault(damaged(options.path, "it is a folder, not a file"), error);
    }
    return faultAt(options.path)(error);
  }
}

export const throwIf = <T>(result: Result<T>): void => {
  if (!result.ok) throw new StoreFault(result.error);
};

/** `blank`: the file was just created, or creating it was interrupted. */
export async function identify(db: Database, path: string): Promise<"ours" | "blank"> {
  const mark = async (): Promise<unknown> => (await db.get("pragma application_id"))?.["application_id"];
  const id = await mark();
  if (id === APPLICATION_ID) return "ours";
  const { tables } = (await db.get("select count(*) as tables from sqlite_master")) as { tables: number };
  if (id === 0 && tables === 0) return "blank";
  // Another process may have created it between the two queries.
  if ((await mark()) === APPLICATION_ID) return "ours";
  throw new StoreFault(damaged(path, "it is the database of another program"));
}

/** Throws a StoreFault when there is no usable store at the path. */
export async function openStore(options: SqliteOptions): Promise<Store> {
  const { path } = options;
  if (!existsSync(path)) throw new StoreFault(noPlan(path));
  const db = await openDatabase(options, "leave");
  try {
    if ((await identify(db, path)) === "blank") throw new StoreFault(wasPlan(path) ? lostPlan(path) : noPlan(path));
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
  next: [step("init")],
});

/** The folder of a plan has more in it than the plan. */
const wasPlan = (path: string): boolean => existsSync(`${path.slice(0, -basename(path).length)}.gitignore`);

/** An empty or missing file where a plan was is no reason to start another one. */
export const lostPlan = (path: string): Failure => ({
  kind: "refused",
  reason: "plan-lost",
  message: `A plan was kept in ${path}, but the file is ${existsSync(path) ? "empty" : "gone"}. Copy back a backup: those that upgrades made are in ${path.slice(0, -basename(path).length)}backups.`,
});

export function storeOn(db: Database, path: string): Store {
  const reader = new DatabaseReader(db);
  const commits = new CommitSignal(db);
  const fault = faultAt(path);
  // Kept, because import() looks the module up each time and workers commit thousands of times.
  let writing: typeof Commit | undefined;
  return {
    read: (work) => db.read(() => work(reader)).catch(fault),
    commit: async (intent, decide) => {
      writing ??= await import("./write/commit.js");
      const committed = await writing.commit(db, intent, decide).catch(fault);
      if (committed.ok && committed.value.op !== null) commits.notify();
      return committed;
    },
    follow: async function* (after, { signal } = {}) {
      const { followLog } = await import("./follow/follow.js");
      yield* followLog(db, commits, after, signal);
    },
    verify: (options = {}) =>
      import("./verify/verify.js").then(({ verifyStore }) => db.read(() => verifyStore(db, options))).catch(fault),
    size: async () => db.size(),
    close: async () => {
      commits.close();
      await db.close();
    },
  };
}
