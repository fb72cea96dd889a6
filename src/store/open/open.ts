// Opens a workspace's store. Opening never creates and never migrates. The code for writing is loaded when it is needed.

import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { step } from "../../model/next-step.js";
import type { Failure, Result } from "../../model/result.js";
import type { Database } from "../database.js";
import { identifyFile, openSqlite, type SqliteOptions } from "../dialects/sqlite/sqlite.js";
import { damaged, faultOf, StoreFault } from "../fault.js";
import { judgeSchema, readSchema } from "../migrations/schema.js";
import type { PastMoments } from "../past/past-store.js";
import { DatabaseReader } from "../read/reader.js";
import type { Cut, PeopleOptions, Store } from "../store.js";
import type { VerifyOptions } from "../verification.js";
import type * as Commit from "../write/commit.js";
import { CommitSignal } from "./follow.js";
import { Nesting } from "./nesting.js";
import { backUpTo, EndNote, findCut, readEnd } from "./side-files.js";

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
  const found = await identifyFile(db);
  if (found === "foreign") throw new StoreFault(damaged(path, "it is the database of another program"));
  return found;
}

/** The database of the plan at the path, whatever its schema. It is closed if `use` throws. */
export async function openPlan<T>(options: SqliteOptions, use: (db: Database) => Promise<T>): Promise<T> {
  const { path } = options;
  if (!existsSync(path)) throw new StoreFault(noPlan(path));
  const db = await openDatabase(options, "leave");
  try {
    if ((await identify(db, path)) === "blank") throw new StoreFault(wasPlan(path) ? lostPlan(path) : noPlan(path));
    return await use(db);
  } catch (error) {
    await db.close();
    return faultAt(path)(error);
  }
}

/** Throws a StoreFault when there is no usable store at the path. */
export const openStore = (options: SqliteOptions, people?: PeopleOptions): Promise<Store> =>
  openPlan(options, async (db) => {
    throwIf(judgeSchema(await readSchema(db)));
    return storeOn(db, options.path, await findCut(db, options.path), people);
  });

export const noPlan = (path: string): Failure => ({
  kind: "absent",
  reason: "no-workspace",
  message: `There is no plan at ${path}.`,
  next: [step("init")],
});

/** The folder of a plan has more in it than the plan. */
export const wasPlan = (path: string): boolean => path !== ":memory:" && existsSync(join(dirname(path), ".gitignore"));

/** An empty or missing file where a plan was is no reason to start another one. */
export const lostPlan = (path: string): Failure => ({
  kind: "refused",
  reason: "plan-lost",
  message: `A plan was kept in ${path}, but the file is ${existsSync(path) ? "empty" : "gone"}. Restore a backup. To start another plan, move the folder of the lost one aside first.`,
  next: [step("backup.list")],
});

/** Work goes on only after a person has seen what is missing. */
export const cutPlan = (path: string, { found, known }: Cut): Failure => ({
  kind: "refused",
  reason: "plan-lost",
  message: `The plan in ${path} ends with operation ${found}, but operation ${known} was committed: ${known - found === 1 ? `operation ${known} is` : `operations ${found + 1} to ${known} are`} missing. The file ${basename(path)}-wal was probably removed, or an older copy of the plan was put here. Put the missing file back, restore a backup, or restore this file to go on without them.`,
  details: { found, known },
  next: [step("backup.list"), step("backup.restore", { file: path }), step("verify")],
});

/** Opened when a past moment is asked for. */
function pastOf(path: string) {
  let moments: PastMoments | undefined;
  return {
    open: async (): Promise<PastMoments> => {
      const { PastMoments, USUAL_DISTANCES: distances } = await import("../past/past-store.js");
      const { KeptStates } = await import("../past/kept-states.js");
      const { openBeside } = await import("../dialects/sqlite/plan-beside.js");
      const states = path === ":memory:" ? null : new KeptStates(`${path}-past`);
      moments ??= new PastMoments({ open: (file) => openBeside(path, file), states, distances });
      return moments;
    },
    close: async (): Promise<void> => moments?.close(),
  };
}

/** Read before the log, which may grow meanwhile. */
function withEnd(path: string, note: EndNote, { witnesses = [], ...options }: VerifyOptions): VerifyOptions {
  note.flush();
  const op = readEnd(path);
  if (op === 0) return { ...options, witnesses };
  const said = { source: `the note in ${basename(path)}-end`, op, link: null };
  return { ...options, witnesses: [...witnesses, said] };
}

/** With `people`, it checks who approved. */
export function storeOn(db: Database, path: string, cut: Cut | null = null, people?: PeopleOptions): Store {
  const end = new EndNote(path);
  const reader = new DatabaseReader(db, people);
  const commits = new CommitSignal(db);
  const fault = faultAt(path);
  const nesting = new Nesting();
  const past = pastOf(path);
  // Kept, because import() looks the module up each time and workers commit thousands of times.
  let writing: typeof Commit | undefined;
  const store: Store = {
    read: async (work, left) => {
      nesting.refuse();
      return db.read(() => work(reader), left).catch(fault);
    },
    commit: async (intent, decide) => {
      nesting.refuse();
      writing ??= await import("../write/commit.js");
      const guarded: typeof decide = (writer) => nesting.during(() => decide(writer));
      const committed = await writing.commit(db, intent, guarded, people).catch(fault);
      if (committed.ok && committed.value.op !== null) {
        commits.notify();
        end.note(committed.value.op);
      }
      return committed;
    },
    rehearse: async (now, look) => {
      nesting.refuse();
      writing ??= await import("../write/commit.js");
      return writing.rehearseOn(db, now, (writer) => nesting.during(() => look(writer)), people).catch(fault);
    },
    follow: async function* (after, { signal } = {}) {
      const { followLog } = await import("./follow.js");
      yield* followLog(db, commits, after, signal);
    },
    verify: async (options = {}) => {
      const { verifyStore } = await import("../verify/verify.js");
      const known = withEnd(path, end, options);
      return db.read(() => verifyStore(db, { ...people, ...known })).catch(fault);
    },
    repair: async (intent, options = {}) => {
      const { repairStore } = await import("../verify/repair.js");
      return repairStore(db, intent, { ...people, ...withEnd(path, end, options) }).catch(fault);
    },
    damage: () => db.damage().catch(fault),
    backUp: (file) => backUpTo(db, file).catch(fault),
    cut,
    past: async (op) => (await past.open()).storeAt(store, op),
    preparePast: async (signal) => (await past.open()).prepare(signal),
    kept: new Map(),
    size: async () => db.size(),
    close: async () => {
      end.flush();
      commits.close();
      await past.close();
      await db.close();
    },
  };
  return store;
}
