// What the store needs of a database, and nothing more. Queries are written once in a subset that
// SQLite and PostgreSQL share, with `?` for parameters (`?1` where one is used twice; a bare
// one is the next after the largest); an adapter runs them. What is not SQLite has to bring `json_array`, which keeps
// nulls, and `json_group_array`.

export type Value = string | number | null;
export type Row = Record<string, Value>;

export interface Database {
  all(sql: string, ...params: Value[]): Row[] | Promise<Row[]>;
  get(sql: string, ...params: Value[]): Row | undefined | Promise<Row | undefined>;
  run(sql: string, ...params: Value[]): void | Promise<void>;
  /** The number of rows it changed, which takes longer. */
  count(sql: string, ...params: Value[]): number | Promise<number>;
  /** Unguessable bytes, as hex. From the database, because `node:crypto` costs 5 ms at start. */
  random(bytes: number): string | Promise<string>;
  /** All reads inside see one moment. */
  read<T>(work: () => Promise<T>): Promise<T>;
  /** One writer at a time, waiting its turn; `keep: false` rolls everything back. */
  write<T>(work: () => Promise<{ keep: boolean; value: T }>): Promise<T>;
  /** Calls back soon after another process has committed, sometimes without cause. The result ends the watch. */
  watchOtherProcesses(onCommit: () => void): () => void;
  /** How much room it takes, in bytes. */
  size(): number | Promise<number>;
  close(): void | Promise<void>;
}
