// Puts a backup in the place of the plan. The backup is checked first, in a copy; what was there is kept aside. Killed at any
// point, the plan is the old one or the new one, whole.

import { closeSync, copyFileSync, existsSync, linkSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ok, type Result, refused } from "../../model/result.js";
import type { Database } from "../database.js";
import { type Connection, connect } from "../dialects/sqlite/driver.js";
import { isSameFile } from "../dialects/sqlite/other-processes.js";
import type { SqliteOptions } from "../dialects/sqlite/sqlite.js";
import { damaged, faultOf, StoreFault } from "../fault.js";
import { MIGRATIONS, migrate } from "../migrations/migrate.js";
import { APPLICATION_ID, judgeSchema, readSchema } from "../migrations/schema.js";
import type { OldOwner } from "../migrations/seal-old-approvals.js";
import type { Intent, LogLink, PeopleOptions, VerifyOptions, Writer } from "../store.js";
import { verifyStore } from "../verify/verify.js";
import { commitInside } from "../write/commit.js";
import { identify, openDatabase, throwIf } from "./open.js";
import { copyFile, endRestore, noteRestore, PARTS, readEnd, removeParts, resetEnd } from "./side-files.js";

export interface RestoreRequest {
  /** The backup. It may be the plan's own file, to go on with what is left of it. */
  readonly file: string;
  /** A folder for what was there; made if there is something to keep. */
  readonly aside: string;
  /** The last operation that is known elsewhere to have happened. */
  readonly known: number;
  /** The last operation of the plan that the person was asked about. If there are more by now, nothing is restored. */
  readonly end?: number | undefined;
  /** What the log says was done; what is missing is added to it. */
  readonly sentence: string;
  readonly intent: Intent;
  /** Who restores it, for a backup of an older program. */
  readonly owner?: OldOwner | undefined;
  /** Checks who approved, and that who restores it is known to the backup. */
  readonly people?: PeopleOptions | undefined;
  readonly verify: VerifyOptions;
  /** Tells others that know the end of the plan. If the program is killed before, the next one does it. */
  readonly announce?: (head: LogLink) => Promise<void>;
}

export interface Restored {
  /** How many operations the backup has. */
  readonly operations: number;
  /** Operations that happened and are not in the backup. */
  readonly missing: { readonly from: number; readonly to: number } | null;
  /** Where the file is that was there before; null if there was none. */
  readonly kept: string | null;
  readonly head: LogLink;
}

/** Much longer than it takes to look which file is there and then to lock it. */
const LOCKED_AFTERWARDS_MS = 50;

export async function restoreStore(options: SqliteOptions, request: RestoreRequest): Promise<Result<Restored>> {
  const { path } = options;
  const copy = copyFile(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const old = lockOld(options);
  try {
    if (old !== null && request.end !== undefined && !endsWith(old, request.end)) return changedMeanwhile();
    removeParts(copy);
    copyWhole(request.file, copy, options, old);
    const known = Math.max(request.known, readEnd(path));
    const prepared = await prepareCopy({ ...options, path: copy }, { ...request, known });
    if (!prepared.ok) return prepared;
    const kept = setAside(options, request.aside, old);
    const { head } = prepared.value;
    noteRestore(path, head);
    // Killed before or after the next step, the plan that is there must not seem to end too early.
    resetEnd(path, Math.min(readEnd(path), head.op));
    renameSync(copy, path);
    resetEnd(path, head.op);
    // Who was about to open the old file finds it locked and then sees the new one.
    if (old !== null) await new Promise((wake) => setTimeout(wake, LOCKED_AFTERWARDS_MS));
    await request.announce?.(head);
    endRestore(path);
    return ok({ ...prepared.value, kept });
  } finally {
    removeParts(copy);
    old?.close();
  }
}

const changedMeanwhile = (): Result<never> =>
  refused("changed-meanwhile", "The plan changed after you were asked, so nothing was restored. Try again.");

/** With what is still in its write-ahead log. */
function copyWhole(file: string, copy: string, { path, engine }: SqliteOptions, old: Connection | null): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) {
    throw new StoreFault({ kind: "usage", reason: "no-file", message: `There is no file ${file}.` });
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

async function prepareCopy(
  options: SqliteOptions,
  { file, known, intent, sentence, owner, people, verify }: RestoreRequest,
): Promise<Result<Omit<Restored, "kept">>> {
  const db = await openDatabase(options, "leave");
  try {
    if ((await identify(db, file)) === "blank") throw new StoreFault(damaged(file, "it is empty"));
    await upgradeCopy(db, owner);
    const { log, operations, differences } = await verifyStore(db, verify);
    const wrong = log.broken?.op ?? log.signatures.wrong[0];
    if (wrong !== undefined || differences.length > 0) {
      const what = wrong === undefined ? "its rows differ from its log" : `its log was changed at operation ${wrong}`;
      const message = `${file} cannot be restored: ${what}. The plan was not changed. Use another backup.`;
      return refused("backup-damaged", message, { details: { log, differences } });
    }
    const end = log.head.op;
    const missing = known > end ? { from: end + 1, to: known } : null;
    const without = missing ? `, without operations ${missing.from} to ${missing.to}` : "";
    const head = await db.write(async () => {
      const logged = await commitInside(
        db,
        { ...intent, always: true },
        async (writer) => {
          const known = await mayRestore(writer, intent);
          return known.ok ? ok({ sentence: `${sentence}${without}`, changes: [], value: undefined }) : known;
        },
        // A backup from before anybody was known begins with who restores it.
        log.hasPeople ? people : {},
      );
      return { keep: logged.ok, value: logged.ok ? ok(await headOf(db)) : logged };
    });
    if (!head.ok) return head;
    await db.run("pragma journal_mode = delete");
    return ok({ operations, missing, head: head.value });
  } finally {
    await db.close();
  }
}

/** Who is unknown to the backup could do nothing with it. */
async function mayRestore(writer: Writer, { sign }: Intent): Promise<Result<void>> {
  if (!sign || (await writer.people.isEmpty())) return ok(undefined);
  const signer = await sign.signer(async (id) => (await writer.people.find(id)) !== undefined);
  return signer && (await writer.people.find(signer.id)) ? ok(undefined) : unknownToBackup();
}

const unknownToBackup = (): Result<never> =>
  refused(
    "unknown-secret",
    "The backup does not know your secret. Nothing was changed. Restore it with one that it knows.",
  );

const headOf = async (db: Database): Promise<LogLink> =>
  (await db.get("select op, link from operation order by op desc limit 1")) as unknown as LogLink;

async function upgradeCopy(db: Database, owner: OldOwner | undefined): Promise<void> {
  const { version } = await readSchema(db);
  if (version < MIGRATIONS.length) {
    await db.write(async () => {
      return { keep: true, value: await migrate(db, version, MIGRATIONS, owner) };
    });
  }
  throwIf(judgeSchema(await readSchema(db)));
}

/** A hard link first, so that there is always a plan in its place. */
function setAside({ path }: SqliteOptions, folder: string, old: Connection | null): string | null {
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

/** Asked like this for the same reason. */
function endsWith(old: Connection, op: number): boolean {
  try {
    old.exec(`select case max(op) when ${op} then 0 else abs(-9223372036854775808) end from operation`);
    return true;
  } catch {
    return false;
  }
}

/** Nobody else can use the plan until it is closed. Null if there is none, or something else in its place. */
function lockOld({ path, engine }: SqliteOptions): Connection | null {
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
