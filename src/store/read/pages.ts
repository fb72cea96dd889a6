// All rows of a large table, page by page: a statement that was seen to give many rows gives the next ones in half the time, and
// others have their turn in between.

import type { Database, Row, Value } from "../database.js";

const PAGE = 5_000;
/** The first page, by which the statement is seen to give many. */
const FIRST_PAGE = 200;

/** `columns` has the table's `nr` among them, and `where` may have parameters. In the order of `nr`. */
export async function readRows(db: Database, columns: string, where: string, ...params: Value[]): Promise<Row[]> {
  const sql = `select ${columns} from node where node.nr > ? and (${where}) order by node.nr limit ?`;
  const rows: Row[] = [];
  for (let after = 0, limit = FIRST_PAGE; ; limit = PAGE) {
    const page = await db.all(sql, after, ...params, limit);
    for (const row of page) rows.push(row);
    const last = page.at(-1);
    if (!last || page.length < limit) return rows;
    after = last["nr"] as number;
  }
}
/** A text in which no character means anything but itself to `like`, with `\\` as its escape. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (c) => `\\${c}`);
