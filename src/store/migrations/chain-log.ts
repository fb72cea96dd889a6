// Chains a log that an older program wrote. What was changed in it before cannot be seen; what is changed from now on can.

import type { Database } from "../database.js";
import { readLog } from "../read/read-log.js";
import { type ChainEnd, NO_OPERATION } from "../rows/log-link.js";

/** In `meta`: the first operation that was chained when it happened. */
export const CHAINED_FROM = "chained_from";

/** Inside one transaction of the caller. */
export async function chainLog(db: Database): Promise<void> {
  let end: ChainEnd = NO_OPERATION;
  for await (const { operation, hash } of readLog(db)) {
    const op = operation["op"] as number;
    const link = await hash(end);
    await db.run("update operation set link = ? where op = ?", link, op);
    end = { op, link, signature: null };
  }
  await db.run("insert into meta (name, value) values (?, ?)", CHAINED_FROM, end.op + 1);
}
