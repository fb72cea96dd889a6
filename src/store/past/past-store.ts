// The store as it was after an operation: it reads like the one of now, and writes nothing. A few moments are kept, and the nearest
// one moves, so that going through a plan's history step by step costs little.

import { refused } from "../../graph/result.js";
import type { Database } from "../database.js";
import { DatabaseReader } from "../read/reader.js";
import type { Reader, Store } from "../store.js";
import { Moment } from "./moment.js";

/** One for somebody who goes through the history, one for somebody else who looks at another moment. */
const MOST_KEPT = 2;

interface Kept {
  readonly moment: Moment;
  readonly db: Database;
  readonly reader: Reader;
  /** Resolves when nobody uses it. */
  free: Promise<void>;
  waiting: number;
}

export class PastMoments {
  readonly #open: () => Promise<Database>;
  readonly #kept: Kept[] = [];

  /** `open` gives an empty database in memory with the plan attached as `live`. */
  constructor(open: () => Promise<Database>) {
    this.#open = open;
  }

  async read<T>(op: number, work: (reader: Reader) => Promise<T>): Promise<T> {
    const kept = await this.#nearest(op);
    const before = kept.free;
    let release = (): void => undefined;
    kept.free = new Promise((done) => {
      release = done;
    });
    kept.waiting++;
    await before;
    try {
      await kept.moment.move(op);
      return await kept.db.read(() => work(kept.reader));
    } finally {
      kept.waiting--;
      release();
    }
  }

  async #nearest(op: number): Promise<Kept> {
    const free = this.#kept.filter(({ waiting }) => waiting === 0);
    const exact = free.find(({ moment }) => moment.op === op);
    if (exact) return exact;
    if (this.#kept.length < MOST_KEPT) return this.#add();
    const from = free.length > 0 ? free : this.#kept;
    return from.reduce((a, b) => (Math.abs(b.moment.op - op) < Math.abs(a.moment.op - op) ? b : a));
  }

  async #add(): Promise<Kept> {
    const db = await this.#open();
    try {
      const moment = await Moment.copy(db);
      const kept: Kept = { moment, db, reader: new DatabaseReader(db), free: Promise.resolve(), waiting: 0 };
      this.#kept.push(kept);
      return kept;
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const { moment, free } of this.#kept.splice(0)) {
      await free;
      await moment.close();
    }
  }
}

/** The store of now, as it was. */
export const pastStore = (store: Store, moments: PastMoments, op: number): Store => ({
  ...store,
  read: (work) => moments.read(op, work),
  commit: async () => refused("past", `This is the plan as it was after operation ${op}. What happened stays so.`),
  // oxlint-disable-next-line require-yield -- nothing follows the past
  follow: async function* () {},
  close: async () => undefined,
});
