// The store's database on SQLite: one connection to one file, and one writer at a time across processes.

import { statSync } from "node:fs";
import { messageOf } from "../../../base/errors.js";
import type { Database, Fragments, SqlStatement } from "../../database.js";
import { StoreFault } from "../../fault.js";
import { numberOf, textOf } from "../../rows/values.js";
import { type Connection, connect, type EngineChoice, NamedRows, requireSafeEngine } from "./driver.js";
import { isSameFile, OtherProcesses } from "./other-processes.js";
import { Mutex, WriteLock, whenUnlocked } from "./write-lock.js";

export interface SqliteOptions {
  readonly path: string;
  /** `normal` survives the death of every process; `full` also a power cut. */
  readonly durability: "normal" | "full";
  readonly engine: EngineChoice;
  readonly hasLookups?: boolean;
}

/** Marks an SQLite file as ours: "PLWR". */
export const APPLICATION_ID = 0x504c5752;

/** Pages in the write-ahead log before a checkpoint, which waits for the disk: some 800 operations. */
const CHECKPOINT_PAGES = 8000;

/** Pages that a command may leave in the log: a checkpoint takes 5 ms, reading so many pages at the next start 1 ms. */
const PAGES_LEFT = 200;

/** A transaction of thousands of statements lets timers and other events in after so long. */
const STRETCH_LIMIT_MS = 20;

/** Enough to see what is wrong. */
const PROBLEMS_LISTED = 20;

/** A clock that never goes back. `performance` takes 0.9 ms to load. */
const uptimeMs = (): number => process.uptime() * 1000;

const extract = (column: string, field: string): string => `json_extract(${column}, '$.${field}')`;

const FRAGMENTS: Fragments = {
  jsonText: extract,
  jsonNumber: extract,
  like: "like",
  hasOtherLetters: (text) => `${text} glob '*[^' || char(1) || '-~]*'`,
  lookup: {
    // Without the text itself, and without where in it something stands: a third of the size, and the caller compares again anyway.
    create: `create virtual table node_text using fts5 (
      words, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram')`,
    put: "insert or replace into node_text (rowid, words) values (?, ?)",
    remove: "delete from node_text where rowid = ?",
    clear: "insert into node_text (node_text) values ('delete-all')",
    find: "select rowid as nr from node_text where node_text match ? and rowid > ? order by rowid limit ?",
    lengths: "select id as nr, hex(sz) as length from node_text_docsize where id > ? order by id limit ?",
  },
};

/** Reads wait for each other, so one that nobody waits for would hold up all others. */
function stopIfLeft(left: AbortSignal | undefined): void {
  if (left?.aborted)
    throw new StoreFault({ kind: "interrupted", reason: "left", message: "Nobody waits for the answer." });
}

class SqliteDatabase implements Database {
  readonly sql = FRAGMENTS;
  readonly hasLookups: boolean;
  readonly #path: string;
  readonly #connection: Connection;
  readonly #statements = new Map<string, NamedRows>();
  readonly #writeLock = new WriteLock();
  /** One transaction at a time on this connection. */
  readonly #transactions = new Mutex();
  /** Those who wait for the file's write lock. They hold up no reads: the transaction begins when the lock is there. */
  readonly #writers = new Mutex();
  #wrote = false;
  /** When other events of the process last had their turn. */
  #busySince = uptimeMs();
  /** Of the read that runs: whoever asked is gone. */
  #left: AbortSignal | undefined;

  constructor({ path, hasLookups = true }: SqliteOptions, connection: Connection) {
    this.#path = path;
    this.#connection = connection;
    this.hasLookups = hasLookups;
  }

  #prepare(sql: string): NamedRows {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = new NamedRows(this.#connection.prepare(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  // Even a read may find the file locked: by the first process to open it, or the last one to leave it.
  #execute<T>(statement: () => T): T | Promise<Awaited<T>> {
    if (uptimeMs() - this.#busySince < STRETCH_LIMIT_MS) return whenUnlocked(statement);
    return this.#executeAfterPause(statement);
  }

  async #executeAfterPause<T>(statement: () => T): Promise<Awaited<T>> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#busySince = uptimeMs();
    stopIfLeft(this.#left);
    return await whenUnlocked(statement);
  }

  readonly all: Database["all"] = (sql, ...params) => this.#execute(() => this.#prepare(sql).all(params));
  readonly get: Database["get"] = (sql, ...params) => this.#execute(() => this.#prepare(sql).get(params));
  /** get() is cheaper than the statement's run(), which builds a result object. */
  readonly run: Database["run"] = (sql, ...params) => this.#execute(() => void this.#prepare(sql).get(params));
  readonly count: Database["count"] = (sql, ...params) => this.#execute(() => this.#prepare(sql).run(params));

  async batch(statements: readonly SqlStatement[]): Promise<void> {
    for (const { sql, params, rows } of statements) {
      const done = rows === undefined ? this.run(sql, ...params) : this.count(sql, ...params);
      // Most are done at once, and waiting for what is done takes time.
      const changed = done instanceof Promise ? await done : done;
      if (rows !== undefined && changed !== rows) throw new Error(`A row changed while it was being written: ${sql}`);
    }
  }

  async random(bytes: number): Promise<string> {
    return textOf((await this.get("select lower(hex(randomblob(?))) as hex", bytes))?.["hex"]);
  }

  async read<T>(work: () => Promise<T>, left?: AbortSignal): Promise<T> {
    const leave = await this.#enter();
    try {
      stopIfLeft(left);
      await this.run("begin");
      this.#left = left;
      try {
        return await work();
      } finally {
        this.#left = undefined;
        await this.run("rollback");
      }
    } finally {
      leave();
    }
  }

  async write<T>(work: () => Promise<{ keep: boolean; value: T }>): Promise<T> {
    const leaveQueue = await this.#writers.enter();
    try {
      const leave = await this.#writeLock.acquire(() => this.#begin());
      try {
        return await this.#finish(work);
      } finally {
        leave();
      }
    } finally {
      leaveQueue();
    }
  }

  async #enter(): Promise<() => void> {
    const leave = await this.#transactions.enter();
    this.#busySince = uptimeMs();
    return leave;
  }

  async #begin(): Promise<() => void> {
    const leave = await this.#enter();
    try {
      this.#prepare("begin immediate").get([]);
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #finish<T>(work: () => Promise<{ keep: boolean; value: T }>): Promise<T> {
    try {
      const { keep, value } = await work();
      await this.run(keep ? "commit" : "rollback");
      this.#wrote ||= keep;
      return value;
    } catch (error) {
      this.#rollBackAfter();
      throw error;
    }
  }

  /** A failed write, for example on a full disk, may already have ended the transaction. */
  #rollBackAfter(): void {
    try {
      this.#prepare("rollback").get([]);
    } catch {
      // Nothing left to roll back.
    }
  }

  /** A command that ends leaves a few pages to the next one, as a killed process would. */
  #checkpoint(): void {
    try {
      const { log } = this.#connection.prepare("pragma wal_checkpoint(noop)").get() as { log: number };
      if (log > PAGES_LEFT) this.#connection.exec("pragma wal_checkpoint(truncate)");
    } catch {
      // What was committed is safe in the log, for example on a full disk.
    }
  }

  watchOtherProcesses(onCommit: () => void): () => void {
    if (this.#path === ":memory:") return () => undefined;
    const version = async (): Promise<number> => numberOf((await this.get("pragma data_version"))?.["data_version"]);
    const watcher = new OtherProcesses({ path: this.#path, version, onCommit });
    return () => watcher.close();
  }

  async copyTo(file: string): Promise<void> {
    const leave = await this.#enter();
    try {
      await this.run("vacuum into ?", file);
    } finally {
      leave();
    }
  }

  async damage(): Promise<readonly string[]> {
    try {
      const found = await this.all(`pragma integrity_check(${PROBLEMS_LISTED})`);
      // Several may stand in one row.
      const lines = found.flatMap((row) => textOf(row["integrity_check"]).split("\n"));
      return lines.filter((line) => line !== "ok" && !line.startsWith("*** ")).slice(0, PROBLEMS_LISTED);
    } catch (error) {
      if (/malformed|not a database/i.test(messageOf(error))) return [messageOf(error)];
      throw error;
    }
  }

  async size(): Promise<number> {
    const ask = async (pragma: string): Promise<number> => numberOf((await this.get(`pragma ${pragma}`))?.[pragma]);
    return (await ask("page_count")) * (await ask("page_size"));
  }

  async close(): Promise<void> {
    const leave = await this.#transactions.enter();
    if (this.#wrote) this.#checkpoint();
    this.#statements.clear();
    this.#connection.close();
    leave();
  }
}

/** `blank`: whether an empty file becomes a database or is not touched. */
export async function openSqlite(options: SqliteOptions, blank: "create" | "leave" = "create"): Promise<Database> {
  const { path, durability } = options;
  const there = statSync(path, { throwIfNoEntry: false });
  const connection = connect(path, options.engine);
  try {
    await whenUnlocked(() => requireSafeEngine(connection));
    const mode = (await whenUnlocked(() => mayChange(connection, blank))) ? "pragma journal_mode = wal;" : "";
    const settings = `pragma foreign_keys = on; pragma synchronous = ${durability}; ${mode} pragma cache_size = -131072; pragma temp_store = memory; pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};`;
    const isOpen = await whenUnlocked(() => {
      // A backup was put in its place while this waited: a write-ahead log of the old file would harm the new one.
      if (there && !isSameFile(there, statSync(path, { throwIfNoEntry: false }))) return false;
      connection.exec(settings);
      return true;
    });
    if (isOpen) return new SqliteDatabase(options, connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  connection.close();
  return openSqlite(options, blank);
}

/** Changing the journal mode writes to the file, which must not happen to another program's database. */
function mayChange(connection: Connection, blank: "create" | "leave"): boolean {
  const ask = (sql: string): unknown => Object.values(connection.prepare(sql).get() as object)[0];
  const mark = ask("pragma application_id");
  if (mark === APPLICATION_ID) return true;
  return blank === "create" && mark === 0 && ask("select count(*) from sqlite_master") === 0;
}

export const markAsPlan = (db: Database): void | Promise<void> => db.run(`pragma application_id = ${APPLICATION_ID}`);

/** `blank`: there is nothing in it. `foreign`: another program's. */
export async function identifyFile(db: Database): Promise<"ours" | "blank" | "foreign"> {
  const mark = async (): Promise<unknown> => (await db.get("pragma application_id"))?.["application_id"];
  const id = await mark();
  if (id === APPLICATION_ID) return "ours";
  const tables = numberOf((await db.get("select count(*) as tables from sqlite_master"))?.["tables"]);
  if (id === 0 && tables === 0) return "blank";
  // Another process may have created it between the two queries.
  return (await mark()) === APPLICATION_ID ? "ours" : "foreign";
}
