// Which plan is in a file, and how far its log goes: for backups, and for a plan that is not open.

import { existsSync } from "node:fs";
import type { PlanEnd } from "../../log-witness.js";
import { CHAINED_FROM } from "../../rows/log-rows.js";
import { numberOf, textOf } from "../../rows/values.js";
import { type Connection, connect } from "./driver.js";

export interface PlanIdentity extends PlanEnd {
  /** When its last operation happened. */
  readonly at: number;
}

const ENDS = `
  select first.link as first, last.op, last.link, last.at,
    coalesce((select value from file.meta where name = '${CHAINED_FROM}'), 1) as chained
  from file.operation first, file.operation last
  where first.op = 1 and last.op = (select max(op) from file.operation)`;

/** Null if there is no plan, if it is empty, or if a program made it that chained no logs. */
export function identityIn(path: string): PlanIdentity | null {
  if (!existsSync(path)) return null;
  try {
    // Attached, because an engine may hold a file that it opened for as long as a statement exists, and restoring needs it free.
    const db = connect(":memory:", "auto");
    try {
      db.prepare("attach database ? as file").run(path);
      const found = identityOf(db);
      db.exec("detach database file");
      return found;
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

function identityOf(db: Connection): PlanIdentity | null {
  const row = db.prepare(ENDS).get() as Record<string, string | number> | undefined;
  return row === undefined
    ? null
    : {
        first: textOf(row["first"]),
        op: numberOf(row["op"]),
        link: textOf(row["link"]),
        at: numberOf(row["at"]),
        chainedFrom: numberOf(row["chained"]),
      };
}
