// All rows of a large table, page by page: a statement that was seen to give many rows gives the next ones in half the time, and
// others have their turn in between.

import type { Database, Row, Value } from "../database.js";

const PAGE = 5_000;
/** The first page, by which the statement is seen to give many. */
const FIRST_PAGE = 200;

/** The pages of an ordered statement that ends with its limit: `next` gives the parameters after the last row of a page. `most`: fewer of large rows. */
export async function* pagesOf(
  db: Database,
  sql: string,
  first: readonly Value[],
  next: (last: Row) => readonly Value[],
  most = PAGE,
): AsyncGenerator<Row[], void, void> {
  for (let params = first, limit = Math.min(FIRST_PAGE, most); ; limit = most) {
    const page = await db.all(sql, ...params, limit);
    yield page;
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    params = next(last);
  }
}

/** Its rows one by one, however many. */
export async function* readPages(...asked: Parameters<typeof pagesOf>): AsyncGenerator<Row, void, void> {
  for await (const page of pagesOf(...asked)) yield* page;
}

/** `columns` has the table's `nr` among them, and `where` may have parameters. In the order of `nr`. */
export async function readRows(db: Database, columns: string, where: string, ...params: Value[]): Promise<Row[]> {
  const sql = `select ${columns} from node where node.nr > ? and (${where}) order by node.nr limit ?`;
  const rows: Row[] = [];
  for await (const page of pagesOf(db, sql, [0, ...params], (last) => [last["nr"] as number, ...params])) {
    for (const row of page) rows.push(row);
  }
  return rows;
}

/** A text in which no character means anything but itself to `like`, with `\\` as its escape. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (c) => `\\${c}`);
