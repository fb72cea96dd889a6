// All that is special about SQLite: one connection, one writer at a time across processes, rows with names.

import type { Database, Row, Value } from "./database.js";
import { APPLICATION_ID } from "./schema.js";
import { type Connection, connect, type EngineChoice, requireSafeEngine, type Statement } from "./sqlite-driver.js";
import { again, patiently, Turns } from "./turns.js";

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

/** Random bytes: enough for a worker's next tokens. */
const DRAWN_AT_ONCE = 512;

/** Rows of one answer. Asking a statement for the names of its columns takes as long as some twenty. */
const MANY = 100;

/**
 * A statement that gives many rows at once gives arrays from then on, and the rows are named here: the add-on takes up to
 * twice as long.
 */
class Query {
  readonly statement: Statement;
  #names: readonly string[] | undefined;
  /** A copy of an object with all its properties is filled twice as fast as one that grows. */
  #blank: Row = {};

  constructor(statement: Statement) {
    this.statement = statement;
  }

  all(params: readonly Value[]): Row[] {
    const rows = this.statement.all(...params);
    if (this.#names) return (rows as Value[][]).map((values) => this.#name(values));
    if (rows.length > MANY) this.#giveArrays();
    return rows as Row[];
  }

  get(params: readonly Value[]): Row | undefined {
    const row = this.statement.get(...params);
    return this.#names && row ? this.#name(row as Value[]) : (row as Row | undefined);
  }

  #giveArrays(): void {
    this.#names = this.statement.columns().map((column) => column.name);
    this.#blank = JSON.parse(`{${this.#names.map((name) => `${JSON.stringify(name)}:null`).join()}}`) as Row;
    this.statement.setReturnArrays(true);
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
  readonly #queries = new Map<string, Query>();
  readonly #turns = new Turns();
  readonly #begin = (): unknown => this.#query("begin immediate").statement.get();
  #wrote = false;
  /** Random digits that nobody has yet. */
  #digits = "";
  /** Transactions of one process queue here; each starts when the one before has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #queued = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  #query(sql: string): Query {
    let query = this.#queries.get(sql);
    if (!query) {
      query = new Query(this.#connection.prepare(sql));
      this.#queries.set(sql, query);
    }
    return query;
  }

  // Even a read may have to wait: for the first process to open the file, or the last one to leave it. Only then a
  // function is made for it: a worker asks dozens of statements for every task.
  all(sql: string, ...params: Value[]): Row[] {
    try {
      return this.#query(sql).all(params);
    } catch (error) {
      return again(error, () => this.#query(sql).all(params));
    }
  }

  get(sql: string, ...params: Value[]): Row | undefined {
    try {
      return this.#query(sql).get(params) ?? undefined;
    } catch (error) {
      return again(error, () => this.#query(sql).get(params)) ?? undefined;
    }
  }

  /** Asks for a row that does not come: what a statement's own `run` tells takes longer to make than many a row to write. */
  run(sql: string, ...params: Value[]): void {
    try {
      this.#query(sql).statement.get(...params);
    } catch (error) {
      again(error, () => this.#query(sql).statement.get(...params));
    }
  }

  count(sql: string, ...params: Value[]): number {
    try {
      return Number(this.#query(sql).statement.run(...params).changes);
    } catch (error) {
      return again(error, () => Number(this.#query(sql).statement.run(...params).changes));
    }
  }

  random(bytes: number): string {
    const wanted = bytes * 2;
    if (this.#digits.length < wanted) {
      const drawn = Math.max(bytes, DRAWN_AT_ONCE);
      this.#digits = this.get("select lower(hex(randomblob(?))) as hex", drawn)?.["hex"] as string;
    }
    const digits = this.#digits.slice(0, wanted);
    this.#digits = this.#digits.slice(wanted);
    return digits;
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
      this.#turns.take(this.#begin);
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

  readonly #ended = (): void => {
    this.#queued--;
  };

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queued++ === 0 ? work() : this.#last.then(work);
    this.#last = turn.then(this.#ended, this.#ended);
    return turn;
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
    return new SqliteDatabase(connection);
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
