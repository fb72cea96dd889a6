// Operations as they are committed, by this process and by others, each once and in order. An operation gets its number
// under the write lock, so a greater number is never seen before a smaller one.

import type { LoggedOperation } from "../../model/operation/operation.js";
import type { Database } from "../database.js";
import { toOperation } from "../rows/log-rows.js";
import type { CommitSignal } from "./commit-signal.js";

const PAGE = 500;

const LATER = `select * from operation where op > ? order by op limit ${PAGE}`;

export async function* followLog(
  db: Database,
  commits: CommitSignal,
  after: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<LoggedOperation, void, void> {
  const stop = commits.watch();
  try {
    const isOver = (): boolean => commits.closed || signal?.aborted === true;
    for (let [last, more] = [after, !isOver()]; more; ) {
      const seen = commits.commits;
      const page = await db.read(async () => (await db.all(LATER, last)).map(toOperation));
      for (const operation of page) {
        if (isOver()) return;
        yield operation;
        last = operation.op;
      }
      more = page.length === PAGE ? !isOver() : await commits.waitBeyond(seen, signal);
    }
  } finally {
    stop();
  }
}
