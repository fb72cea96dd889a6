// A plan whose store can be watched: what is read, and how.

import type { Database, Row, SqlStatement, Value } from "../src/store/database.js";
import { openSqlite } from "../src/store/dialects/sqlite/sqlite.js";
import { migrate } from "../src/store/migrations/migrate.js";
import { storeOn } from "../src/store/open/open.js";
import { makePlan, type TestPlan } from "./plan.js";

/** Counts what is read, and remembers every statement. */
export class Spy implements Database {
  readonly statements = new Map<string, Value[]>();
  rows = 0;
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get sql(): Database["sql"] {
    return this.#db.sql;
  }

  get hasLookups(): boolean {
    return this.#db.hasLookups;
  }

  async all(sql: string, ...params: Value[]): Promise<Row[]> {
    this.statements.set(sql, params);
    const rows = await this.#db.all(sql, ...params);
    this.rows += rows.length;
    return rows;
  }

  async get(sql: string, ...params: Value[]): Promise<Row | undefined> {
    this.statements.set(sql, params);
    this.rows++;
    return this.#db.get(sql, ...params);
  }

  forget(): void {
    this.statements.clear();
    this.rows = 0;
  }

  /** How SQLite goes about the statements, step by step. */
  async plans(): Promise<string[]> {
    const steps: string[] = [];
    for (const [sql, params] of this.statements) {
      if (!/^\s*(select|with)/i.test(sql)) continue;
      for (const row of await this.#db.all(`explain query plan ${sql}`, ...params)) steps.push(row["detail"] as string);
    }
    return steps;
  }

  run(sql: string, ...params: Value[]): ReturnType<Database["run"]> {
    this.statements.set(sql, params);
    return this.#db.run(sql, ...params);
  }

  count(sql: string, ...params: Value[]): ReturnType<Database["count"]> {
    this.statements.set(sql, params);
    return this.#db.count(sql, ...params);
  }

  batch(statements: readonly SqlStatement[]): ReturnType<Database["batch"]> {
    for (const { sql, params } of statements) this.statements.set(sql, [...params]);
    return this.#db.batch(statements);
  }

  random = (bytes: number): ReturnType<Database["random"]> => this.#db.random(bytes);
  read = <T>(work: () => Promise<T>, left?: AbortSignal): Promise<T> => this.#db.read(work, left);
  write = <T>(work: () => Promise<{ keep: boolean; value: T }>): Promise<T> => this.#db.write(work);
  watchOtherProcesses = (onCommit: () => void): (() => void) => this.#db.watchOtherProcesses(onCommit);
  copyTo = (file: string): Promise<void> => this.#db.copyTo(file);
  damage = (): Promise<readonly string[]> => this.#db.damage();
  size = (): ReturnType<Database["size"]> => this.#db.size();
  close = (): ReturnType<Database["close"]> => this.#db.close();
}

/** An empty plan, and what watches it. */
export async function makeSpied(): Promise<{ spy: Spy; plan: TestPlan }> {
  const db = await openSqlite({ path: ":memory:", durability: "normal", engine: "auto" });
  await db.write(async () => ({ keep: true, value: await migrate(db, 0) }));
  const spy = new Spy(db);
  return { spy, plan: { ...(await makePlan()), store: storeOn(spy, ":memory:") } };
}
