// All that is special about SQLite: one connection, one writer at a time across processes, and a wait
// for the write lock that is fair. SQLite's own busy handler never errs below its time-out but starves
// some of eight processes (claims per worker 605-11,552); waiting a random moment and asking again
// evens that out (3,823-6,413) at the same total.

import type { Database, Row, Value } from "./database.js";
import { type Connection, connect, type EngineChoice, requireSafeEngine, type Statement } from "./sqlite-driver.js";

export interface SqliteOptions {
  readonly path: string;
  /** `normal` survives the death of every process; `full` also a power cut. */
  readonly durability: "normal" | "full";
  readonly engine: EngineChoice;
}

/** How long a writer waits for its turn before it gives up. */
const PATIENCE_MS = 30_000;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && /database is locked|database table is locked|busy/i.test(error.message);

const nap = new Int32Array(new SharedArrayBuffer(4));

/** Blocks on purpose: a command has nothing else to do, and timers would cost it the event loop. */
function pause(ms: number): void {
  Atomics.wait(nap, 0, 0, ms);
}

function patiently<T>(attempt: () => T): T {
  const deadline = Date.now() + PATIENCE_MS;
  for (let round = 0; ; round++) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
      pause(0.2 + Math.random() * Math.min(8, 0.5 * 2 ** Math.min(round, 4)));
    }
  }
}

class SqliteDatabase implements Database {
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();
  /** Transactions of one process queue here; each starts when the one before has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  all(sql: string, ...params: Value[]): Row[] {
    return this.#statement(sql).all(...params) as Row[];
  }

  get(sql: string, ...params: Value[]): Row | undefined {
    return (this.#statement(sql).get(...params) ?? undefined) as Row | undefined;
  }

  run(sql: string, ...params: Value[]): number {
    return Number(this.#statement(sql).run(...params).changes);
  }

  random(bytes: number): string {
    return (this.get("select lower(hex(randomblob(?))) as hex", bytes) as { hex: string }).hex;
  }

  read<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      patiently(() => this.run("begin"));
      try {
        return await work();
      } finally {
        this.run("rollback");
      }
    });
  }

  write<T>(work: () => Promise<{ keep: boolean; value: T }>): Promise<T> {
    return this.#inTurn(async () => {
      patiently(() => this.run("begin immediate"));
      try {
        const { keep, value } = await work();
        if (keep) patiently(() => this.run("commit"));
        else this.run("rollback");
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

  version(): number {
    return this.get("pragma data_version")?.["data_version"] as number;
  }

  size(): number {
    const ask = (pragma: string): number => this.get(`pragma ${pragma}`)?.[pragma] as number;
    return ask("page_count") * ask("page_size");
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }
}

export function openSqlite(options: SqliteOptions): Database {
  const connection = connect(options.path, options.engine);
  requireSafeEngine(connection);
  patiently(() =>
    connection.exec(
      `pragma foreign_keys = on; pragma synchronous = ${options.durability}; pragma journal_mode = wal; pragma cache_size = -65536; pragma temp_store = memory;`,
    ),
  );
  return new SqliteDatabase(connection);
}
