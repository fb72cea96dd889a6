// Operations as they are committed, by this process and by others, each once and in order. An operation gets its number
// under the write lock, so a greater number is never seen before a smaller one.

import type { LoggedOperation } from "../../model/operation/operation.js";
import type { Database } from "../database.js";
import { toOperation } from "../rows/log-rows.js";

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
    const isOver = (): boolean => commits.isOver(signal);
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

export class CommitSignal {
  readonly #db: Database;
  readonly #waiting = new Set<() => void>();
  #commits = 0;
  #followers = 0;
  #closed = false;
  #stopWatching: () => void = () => undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Grows with every commit that was noticed. Read it before the log, so that no commit falls in between. */
  get commits(): number {
    return this.#commits;
  }

  /** There is nothing to wait for any more: the signal was aborted or the store closed. */
  isOver(signal: AbortSignal | undefined): boolean {
    return this.#closed || signal?.aborted === true;
  }

  /** Watches other processes only while there is a follower. The result removes this follower. */
  watch(): () => void {
    if (this.#followers++ === 0) this.#stopWatching = this.#db.watchOtherProcesses(() => this.notify());
    return () => {
      if (--this.#followers === 0) this.#stopWatching();
    };
  }

  notify(): void {
    this.#commits++;
    this.#wakeAll();
  }

  close(): void {
    this.#closed = true;
    this.#stopWatching();
    this.#wakeAll();
  }

  /** False when it is over. */
  async waitBeyond(commits: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#commits === commits && !this.isOver(signal)) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        this.#waiting.add(wake);
        signal?.addEventListener("abort", wake);
      });
    }
    return !this.isOver(signal);
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
  }
}
