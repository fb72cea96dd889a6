// Rows as objects, one column per property, into statements.

import type { Database, Row } from "../database.js";

export function insertRow(db: Database, table: string, row: Row): void | Promise<void> {
  const columns = Object.keys(row);
  const marks = columns.map(() => "?").join(", ");
  return db.run(`insert into ${table} (${columns.join(", ")}) values (${marks})`, ...Object.values(row));
}
