// The whole log in order, page by page, with the hash that each operation must have.

import type { Database, Row } from "../database.js";
import { type ChainEnd, LinkHash } from "../rows/log-link.js";
import { changeNr } from "../rows/log-rows.js";

export interface LoggedRow {
  readonly operation: Row;
  /** The operation's link, if it follows this end of the chain. `onChange` sees every change on the way. */
  readonly hash: (before: ChainEnd, onChange?: (change: Row) => void) => Promise<string>;
}

const PAGE = 2_000;

export async function* readLog(db: Database): AsyncIterable<LoggedRow> {
  for (let after = 0; ; ) {
    const page = await db.all("select * from operation where op > ? order by op limit ?", after, PAGE);
    for (const operation of page) {
      yield { operation, hash: (before, onChange) => hashOf(db, operation, before, onChange) };
    }
    if (page.length < PAGE) return;
    after = page.at(-1)?.["op"] as number;
  }
}

async function hashOf(
  db: Database,
  operation: Row,
  before: ChainEnd,
  onChange: ((change: Row) => void) | undefined,
): Promise<string> {
  const link = new LinkHash(before, operation);
  const op = operation["op"] as number;
  const end = changeNr(op + 1, 0);
  for (let from = changeNr(op, 0); ; ) {
    const page = await db.all("select * from change where nr >= ? and nr < ? order by nr limit ?", from, end, PAGE);
    for (const change of page) {
      link.add(change["entity"] as string, change["key"] as string, change["before"], change["after"]);
      onChange?.(change);
    }
    if (page.length < PAGE) return link.end();
    from = (page.at(-1)?.["nr"] as number) + 1;
  }
}
