// What the store needs of a database. Queries are written once, in a subset of SQL that SQLite and PostgreSQL share, with
// `?` for parameters. A dialect (dialects/) runs them.

export type Value = string | number | null;
export type Row = Record<string, Value>;

export interface Database {
  all(sql: string, ...params: Value[]): Row[] | Promise<Row[]>;
  get(sql: string, ...params: Value[]): Row | undefined | Promise<Row | undefined>;
  run(sql: string, ...params: Value[]): void | Promise<void>;
  /** Like `run`, and returns the number of changed rows; that takes longer. */
  count(sql: string, ...params: Value[]): number | Promise<number>;
  /** Unguessable bytes, as hex. From the database, because `node:crypto` costs 5 ms at start. */
  random(bytes: number): string | Promise<string>;
  /** All reads inside see one moment. */
  read<T>(work: () => Promise<T>): Promise<T>;
  /** One writer at a time; waits for the lock without blocking the process. `keep: false` rolls everything back. */
  write<T>(work: () => Promise<{ keep: boolean; value: T }>): Promise<T>;
  /** Calls back soon after another process has committed, sometimes without cause. The result ends the watch. */
  watchOtherProcesses(onCommit: () => void): () => void;
  /** Writes a whole copy of it, as of one moment, into a new file. */
  copyTo(file: string): Promise<void>;
  /** In bytes. */
  size(): number | Promise<number>;
  close(): void | Promise<void>;
}
