// What the store needs of a database. Queries are written once, in a subset of SQL that SQLite and PostgreSQL share, with
// `?` for parameters. A dialect (dialects/) runs them.

export type Value = string | number | null;
export type Row = Record<string, Value>;

export interface SqlStatement {
  readonly sql: string;
  readonly params: readonly Value[];
  /** How many rows it must change; any number unless it is said. */
  readonly rows?: number;
}

/** What SQLite and PostgreSQL say differently. */
export interface Fragments {
  /** A field of an object that a column holds as JSON text. A list is JSON text again. */
  readonly jsonText: (column: string, field: string) => string;
  readonly jsonNumber: (column: string, field: string) => string;
  /** `like` that takes `A` and `a` for the same. */
  readonly like: string;
  /** Whether a text has letters other than those of ASCII. */
  readonly hasOtherLetters: (text: string) => string;
  readonly lookup: TextLookup;
}

/** Statements of an index that finds nodes by any three characters in a row of their texts, whatever their case. */
export interface TextLookup {
  readonly create: string;
  /** The number of a node, and its text. */
  readonly put: string;
  readonly remove: string;
  readonly clear: string;
  /** The numbers (`nr`) above one, of nodes that may have what is asked for (`allOf`); in order, with a limit. */
  readonly find: string;
  /** Each node above a number, with how many characters of it are indexed (`length`); in order, with a limit. */
  readonly lengths: string;
}

export interface Database {
  readonly sql: Fragments;
  /** Whether nodes are found by their texts and files. Not in copies of the plan as it was: a look at them goes through all nodes. */
  readonly hasLookups: boolean;
  all(sql: string, ...params: Value[]): Row[] | Promise<Row[]>;
  get(sql: string, ...params: Value[]): Row | undefined | Promise<Row | undefined>;
  run(sql: string, ...params: Value[]): void | Promise<void>;
  /** Like `run`, and returns the number of changed rows; that takes longer. */
  count(sql: string, ...params: Value[]): number | Promise<number>;
  /** All of them, in this order, without a look at one before the next: one round trip where the database is far away. */
  batch(statements: readonly SqlStatement[]): Promise<void>;
  /** Unguessable bytes, as hex. From the database, because `node:crypto` costs 5 ms at start. */
  random(bytes: number): string | Promise<string>;
  /** All reads inside see one moment. Once the signal is aborted, it does not begin, and its next statement after a pause fails. */
  read<T>(work: () => Promise<T>, left?: AbortSignal): Promise<T>;
  /** One writer at a time; waits for the lock without blocking the process. `keep: false` rolls everything back. */
  write<T>(work: () => Promise<{ keep: boolean; value: T }>): Promise<T>;
  /** Calls back soon after another process has committed, sometimes without cause. The result ends the watch. */
  watchOtherProcesses(onCommit: () => void): () => void;
  /** Writes a whole copy of it, as of one moment, into a new file. */
  copyTo(file: string): Promise<void>;
  /** Reads every page, and says what is wrong with it. */
  damage(): Promise<readonly string[]>;
  /** In bytes. */
  size(): number | Promise<number>;
  close(): void | Promise<void>;
}
