// All that is special about SQLite: one connection, one writer at a time across processes, rows with names.

import type { Database, Row, Value } from "./database.js";
import { Mutex } from "./mutex.js";
import { NamedRows } from "./named-rows.js";
import { watchOtherProcesses } from "./other-processes.js";
import { APPLICATION_ID } from "./schema.js";
import { type Connection, connect, type EngineChoice, requireSafeEngine } from "./sqlite-driver.js";
import { WriteLock, whenUnlocked } from "./write-lock.js";

export interface SqliteOptions {
  readonly path: string;
  /** `normal` survives the death of every process; `full` also a power cut. */
  readonly durability: "normal" | "full";
  readonly engine: EngineChoice;
}

/** Pages between two carry-overs of the write-ahead log, which wait for the disk: some 800 operations. */
const CARRY_OVER_EVERY = 8000;

/** Pages that may be left in the log at the end: carrying them over takes 5 ms, and reading this many at start 1 ms. */
const LEFT_BEHIND = 200;

class SqliteDatabase implements Database {
  readonly #path: string;
  readonly #connection: Connection;
  readonly #statements = new Map<string, NamedRows>();
  readonly #writeLock = new WriteLock();
  /** One transaction at a time on this connection. */
  readonly #transactions = new Mutex();
  /** Those who wait for the file's write lock. They hold up no reads: the transaction begins when the lock is there. */
  readonly #writers = new Mutex();
  #wrote = false;

  constructor(path: string, connection: Connection) {
    this.#path = path;
    this.#connection = connection;
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
  all(sql: string, ...params: Value[]): Row[] | Promise<Row[]> {
    return whenUnlocked(() => this.#prepare(sql).all(params));
  }

  get(sql: string, ...params: Value[]): Row | undefined | Promise<Row | undefined> {
    return whenUnlocked(() => this.#prepare(sql).get(params));
  }

  /** get() is cheaper than the statement's run(), which builds a result object. */
  run(sql: string, ...params: Value[]): void | Promise<void> {
    return whenUnlocked(() => void this.#prepare(sql).get(params));
  }

  count(sql: string, ...params: Value[]): number | Promise<number> {
    return whenUnlocked(() => this.#prepare(sql).run(params));
  }

  async random(bytes: number): Promise<string> {
    return (await this.get("select lower(hex(randomblob(?))) as hex", bytes))?.["hex"] as string;
  }

  async read<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.#transactions.enter();
    try {
      await this.run("begin");
      try {
        return await work();
      } finally {
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

  async #begin(): Promise<() => void> {
    const leave = await this.#transactions.enter();
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

  /** A failed write may already have ended the transaction by itself (a full disk does). */
  #rollBackAfter(): void {
    try {
      this.#prepare("rollback").get([]);
    } catch {
      // Nothing left to roll back.
    }
  }

  /** A command that ends leaves its few pages to the next one, as a killed process would. */
  #carryOver(): void {
    try {
      const { log } = this.#connection.prepare("pragma wal_checkpoint(noop)").get() as { log: number };
      if (log > LEFT_BEHIND) this.#connection.exec("pragma wal_checkpoint(truncate)");
    } catch {
      // What was committed is safe in the log; a disk that is full now will have room for it later.
    }
  }

  watchOtherProcesses(onCommit: () => void): () => void {
    if (this.#path === ":memory:") return () => undefined;
    const version = async (): Promise<number> => (await this.get("pragma data_version"))?.["data_version"] as number;
    return watchOtherProcesses({ path: this.#path, version, onCommit });
  }

  async size(): Promise<number> {
    const ask = async (pragma: string): Promise<number> => (await this.get(`pragma ${pragma}`))?.[pragma] as number;
    return (await ask("page_count")) * (await ask("page_size"));
  }

  async close(): Promise<void> {
    const leave = await this.#transactions.enter();
    if (this.#wrote) this.#carryOver();
    this.#statements.clear();
    this.#connection.close();
    leave();
  }
}

/** What has nothing in it yet becomes a database, or is left exactly as it is. */
export async function openSqlite(options: SqliteOptions, blank: "create" | "leave" = "create"): Promise<Database> {
  const connection = connect(options.path, options.engine);
  try {
    await whenUnlocked(() => requireSafeEngine(connection));
    const mode = (await whenUnlocked(() => mayChange(connection, blank))) ? "pragma journal_mode = wal;" : "";
    await whenUnlocked(() =>
      connection.exec(
        `pragma foreign_keys = on; pragma synchronous = ${options.durability}; ${mode} pragma cache_size = -131072; pragma temp_store = memory; pragma wal_autocheckpoint = ${CARRY_OVER_EVERY};`,
      ),
    );
    return new SqliteDatabase(options.path, connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Changing the journal mode writes into the file, and another program's database must stay as it is. */
function mayChange(connection: Connection, blank: "create" | "leave"): boolean {
  const ask = (sql: string): unknown => Object.values(connection.prepare(sql).get() as object)[0];
  const mark = ask("pragma application_id");
  if (mark === APPLICATION_ID) return true;
  return blank === "create" && mark === 0 && ask("select count(*) from sqlite_master") === 0;
}
