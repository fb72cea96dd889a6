// Values of a row with their types. A value of another type means that another program changed the file.

import type { Database, Row, SqlStatement, Value } from "../database.js";

function malformed(value: Value | undefined, expected: string): never {
  throw new Error(
    `The plan is malformed: expected ${expected}, found ${JSON.stringify(value)?.slice(0, 100) ?? "nothing"}.`,
  );
}

export const numberOf = (value: Value | undefined): number =>
  typeof value === "number" ? value : malformed(value, "a number");

export const textOf = (value: Value | undefined): string =>
  typeof value === "string" ? value : malformed(value, "a text");

/** The answer of a statement that asks for nothing but `nr`. */
export const numbersIn = (rows: readonly Row[]): number[] => rows.map((row) => numberOf(row["nr"]));

/** A column that was not read is no empty one: it may be misspelled. */
export const numberOrNull = (value: Value | undefined): number | null => (value === null ? null : numberOf(value));

export const textOrNull = (value: Value | undefined): string | null => (value === null ? null : textOf(value));

export function insertion(table: string, row: Row): SqlStatement {
  const columns = Object.keys(row);
  const marks = columns.map(() => "?").join(", ");
  return { sql: `insert into ${table} (${columns.join(", ")}) values (${marks})`, params: Object.values(row) };
}

export const insertRow = (db: Database, table: string, row: Row): Promise<void> => db.batch([insertion(table, row)]);
