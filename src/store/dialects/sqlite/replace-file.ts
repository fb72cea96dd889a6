// The steps of replacing a plan's file that only SQLite's files need.

import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { Database } from "../../database.js";
import { faultOf, StoreFault } from "../../fault.js";
import { type Connection, connect } from "./driver.js";
import { isSameFile } from "./other-processes.js";
import { APPLICATION_ID, type SqliteOptions } from "./sqlite.js";

/** The files of a plan, the main one last. */
const PARTS = ["-wal", "-shm", ""] as const;

export const removeParts = (path: string): void => {
  for (const part of PARTS) rmSync(path + part, { force: true });
};

/** Copies a plan with what is still in its write-ahead log. */
export function copyWhole(file: string, copy: string, { path, engine }: SqliteOptions, old: Connection | null): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) {
    throw new StoreFault({ kind: "absent", reason: "no-file", message: `There is no file ${file}.` });
  }
  // The plan's own file is locked for everyone else, also for another connection of this process.
  const isOld = old !== null && isSameFile(found, statSync(path, { throwIfNoEntry: false }));
  try {
    closeSync(openSync(copy, "wx", 0o600));
    const source = isOld ? old : connect(file, engine, true);
    try {
      // Not a prepared statement: the engine may hold the file open for as long as one exists.
      source.exec(`vacuum into '${copy.replaceAll("'", "''")}'`);
    } finally {
      if (!isOld) source.close();
    }
  } catch (error) {
    throw faultOf(error, file);
  }
}

/** A hard link first, so that there is always a plan in its place. */
export function setAside({ path }: SqliteOptions, folder: string, old: Connection | null): string | null {
  if (!existsSync(path)) return null;
  // Brings the write-ahead log into the file, and leaves nothing that closing it would remove by its name.
  old?.exec("pragma journal_mode = memory");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const part of PARTS.slice(0, 2)) {
    if (existsSync(path + part)) renameSync(path + part, join(folder, basename(path) + part));
  }
  const kept = join(folder, basename(path));
  try {
    linkSync(path, kept);
  } catch {
    copyFileSync(path, kept);
  }
  return kept;
}

/** Fails for a file that is no plan. Not a prepared statement: the engine may hold the lock for as long as one exists. */
const REQUIRE_PLAN = `select case application_id when ${APPLICATION_ID} then 0 else abs(-9223372036854775808) end from pragma_application_id`;

/** No prepared statement either: the engine may hold the lock for as long as one exists. */
export function endsWith(old: Connection, op: number): boolean {
  try {
    old.exec(`select case max(op) when ${op} then 0 else abs(-9223372036854775808) end from operation`);
    return true;
  } catch {
    return false;
  }
}

/** Nobody else can use the plan until it is closed. Null if there is none, or something else in its place. */
export function lockOld({ path, engine }: SqliteOptions): Connection | null {
  if (!existsSync(path)) return null;
  let old: Connection | undefined;
  try {
    old = connect(path, engine);
    // Before the first read: only then the whole file is locked, not the write-ahead log alone.
    old.exec("pragma locking_mode = exclusive");
    old.exec(REQUIRE_PLAN);
    old.exec("begin exclusive; commit");
    return old;
  } catch (error) {
    old?.close();
    if (!/locked/i.test(String(error))) return null;
    const message = `Other processes use the plan in ${path}. Stop the daemon and close what else works on it, then try again. Nothing was changed.`;
    throw new StoreFault({ kind: "refused", reason: "in-use", message }, error);
  }
}

/** Brings everything into the one file, so that it can be moved. */
export const leaveOneFile = (db: Database): void | Promise<void> => db.run("pragma journal_mode = delete");
