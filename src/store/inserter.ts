// Inserts rows of one shape, up to twenty to a statement: at a hundred thousand rows that takes a third
// less time than one by one (15 against 10 µs for a node).

import type { Database, Value } from "./database.js";

const AT_ONCE = 20;

/** A table's columns, and the statements that fill them. Kept where every operation inserts the same. */
export class Shape {
  readonly width: number;
  readonly #head: string;
  readonly #row: string;
  /** By the number of rows. */
  readonly #statements: string[] = [];

  constructor(table: string, columns: readonly string[]) {
    this.width = columns.length;
    this.#head = `insert into ${table} (${columns.join(", ")}) values `;
    this.#row = `(${columns.map(() => "?").join(", ")})`;
  }

  statement(rows: number): string {
    this.#statements[rows] ??= this.#head + Array.from({ length: rows }, () => this.#row).join(", ");
    return this.#statements[rows];
  }
}

export class Inserter {
  readonly #db: Database;
  readonly #shape: Shape;
  #waiting: Value[] = [];

  constructor(db: Database, shape: Shape) {
    this.#db = db;
    this.#shape = shape;
  }

  /** Something to wait for only when a statement was run. */
  add(values: readonly Value[]): Promise<unknown> | undefined {
    for (const value of values) this.#waiting.push(value);
    return this.#waiting.length < this.#shape.width * AT_ONCE ? undefined : this.end();
  }

  /** Writes what still waits. */
  async end(): Promise<void> {
    const values = this.#waiting;
    if (values.length === 0) return;
    this.#waiting = [];
    await this.#db.run(this.#shape.statement(values.length / this.#shape.width), ...values);
  }
}
