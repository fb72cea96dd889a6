// All that is special about SQLite: one connection, one writer at a time across processes, and a wait
// for the write lock that is fair. SQLite's own busy handler never errs below its time-out but starves
// some of eight processes (claims per worker 605-11,552); waiting a random moment and asking again
// evens that out (3,823-6,413) at the same total.

import { statSync } from "node:fs";
import type { Database, Row, Value } from "./database.js";
import { APPLICATION_ID } from "./schema.js";
import { type Connection, connect, type EngineChoice, requireSafeEngine, type Statement } from "./sqlite-driver.js";

export interface SqliteOptions {
  readonly path: string;
  /** `normal` survives the death of every process; `full` also a power cut. */
  readonly durability: "normal" | "full";
  readonly engine: EngineChoice;
}

/** Pages between two carry-overs of the write-ahead log, which wait for the disk: some 800 operations. */
const CARRY_OVER_EVERY = 8000;

/** What may be left in the log at the end: carrying it over takes 5 ms, and reading this much at start 1 ms. */
const LEFT_BEHIND_BYTES = 800_000;

/**
 * Whoever has the lock keeps the pages that it has read, until another process writes. With longer pauses each gets more
 * done in its turn (with 16 ms, eight processes take twice the time of one for each operation), and shares grow less even.
 */
const LONGEST_PAUSE_MS = 64;

/** How long a writer waits for its turn before it gives up. */
const PATIENCE_MS = 30_000;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && /database is locked|database table is locked|busy/i.test(error.message);

let nap: Int32Array | undefined;

/** Blocks on purpose: a command has nothing else to do, and timers would cost it the event loop. */
function pause(ms: number): void {
  nap ??= new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(nap, 0, 0, ms);
}

function patiently<T>(attempt: () => T): T {
  let deadline = 0;
  for (let round = 0; ; round++) {
    try {
      return attempt();
    } catch (error) {
      deadline ||= Date.now() + PATIENCE_MS;
      if (!isBusy(error) || Date.now() > deadline) throw error;
      pause(0.5 + Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** (round + 2)));
    }
  }
}

/** In a process that has just begun, asking a statement for the names of its columns takes as long as these many rows. */
const ONCE_IN_A_WHILE = 24;

/**
 * A statement that is used often gives arrays, and the rows are named here: the add-on takes twice as long for the
 * columns of a node.
 */
class Query {
  readonly #statement: Statement;
  #used = 0;
  #names: readonly string[] | undefined;
  /** A copy of an object with all its properties is filled twice as fast as one that grows. */
  #blank: Row = {};

  constructor(statement: Statement) {
    this.#statement = statement;
  }

  all(params: readonly Value[]): Row[] {
    if (!this.#isUsedOften()) return this.#statement.all(...params) as Row[];
    return (this.#statement.all(...params) as Value[][]).map((values) => this.#name(values));
  }

  get(params: readonly Value[]): Row | undefined {
    if (!this.#isUsedOften()) return this.#statement.get(...params) as Row | undefined;
    const values = this.#statement.get(...params) as Value[] | undefined;
    return values && this.#name(values);
  }

  run(params: readonly Value[]): number {
    return Number(this.#statement.run(...params).changes);
  }

  #isUsedOften(): boolean {
    if (this.#used > ONCE_IN_A_WHILE) return true;
    if (this.#used++ < ONCE_IN_A_WHILE) return false;
    this.#names = this.#statement.columns().map((column) => column.name);
    this.#blank = JSON.parse(`{${this.#names.map((name) => `${JSON.stringify(name)}:null`).join()}}`) as Row;
    this.#statement.setReturnArrays(true);
    return true;
  }

  #name(values: readonly Value[]): Row {
    const row = { ...this.#blank };
    const names = this.#names as readonly string[];
    for (let i = 0; i < names.length; i++) row[names[i] as string] = values[i] as Value;
    return row;
  }
}

class SqliteDatabase implements Database {
  readonly #connection: Connection;
  readonly #path: string;
  readonly #queries = new Map<string, Query>();
  #wrote = false;
  /** Transactions of one process queue here; each starts when the one before has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection, path: string) {
    this.#connection = connection;
    this.#path = path;
  }

  #query(sql: string): Query {
    let query = this.#queries.get(sql);
    if (!query) {
      query = new Query(this.#connection.prepare(sql));
      this.#queries.set(sql, query);
    }
    return query;
  }

  // Even a read may have to wait: for the first process to open the file, or the last one to leave it.
  all(sql: string, ...params: Value[]): Row[] {
    return patiently(() => this.#query(sql).all(params));
  }

  get(sql: string, ...params: Value[]): Row | undefined {
    return patiently(() => this.#query(sql).get(params)) ?? undefined;
  }

  run(sql: string, ...params: Value[]): number {
    return patiently(() => this.#query(sql).run(params));
  }

  random(bytes: number): string {
    return (this.get("select lower(hex(randomblob(?))) as hex", bytes) as { hex: string }).hex;
  }

  read<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.run("begin");
      try {
        return await work();
      } finally {
        this.run("rollback");
      }
    });
  }

  write<T>(work: () => Promise<{ keep: boolean; value: T }>): Promise<T> {
    return this.#inTurn(async () => {
      this.run("begin immediate");
      try {
        const { keep, value } = await work();
        this.run(keep ? "commit" : "rollback");
        this.#wrote ||= keep;
        return value;
      } catch (error) {
        this.#rollBackAfter();
        throw error;
      }
    });
  }

  /** A failed write may already have ended the transaction by itself (a full disk does). */
  #rollBackAfter(): void {
    try {
      this.run("rollback");
    } catch {
      // Nothing left to roll back.
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** A command that ends leaves its few pages to the next one, as a killed process would. */
  #carryOver(): void {
    try {
      const left = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      if (left > LEFT_BEHIND_BYTES) this.#connection.exec("pragma wal_checkpoint(truncate)");
    } catch {
      // What was committed is safe in the log; a disk that is full now will have room for it later.
    }
  }

  version(): number {
    return this.get("pragma data_version")?.["data_version"] as number;
  }

  size(): number {
    const ask = (pragma: string): number => this.get(`pragma ${pragma}`)?.[pragma] as number;
    return ask("page_count") * ask("page_size");
  }

  close(): void {
    if (this.#wrote) this.#carryOver();
    this.#queries.clear();
    this.#connection.close();
  }
}

/** What has nothing in it yet becomes a database, or is left exactly as it is. */
export function openSqlite(options: SqliteOptions, blank: "create" | "leave" = "create"): Database {
  const connection = connect(options.path, options.engine);
  try {
    patiently(() => requireSafeEngine(connection));
    const mode = patiently(() => mayChange(connection, blank)) ? "pragma journal_mode = wal;" : "";
    patiently(() =>
      connection.exec(
        `pragma foreign_keys = on; pragma synchronous = ${options.durability}; ${mode} pragma cache_size = -131072; pragma temp_store = memory; pragma wal_autocheckpoint = ${CARRY_OVER_EVERY};`,
      ),
    );
    return new SqliteDatabase(connection, options.path);
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
