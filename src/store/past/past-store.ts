// The store as it was after an operation: it reads like the one of now, and writes nothing. A few moments are open, and the nearest one
// moves, so that going through a plan's history step by step costs little. A far moment begins from the nearest kept state.

import { removeQuietly } from "../../base/paths.js";
import { type Result, refused } from "../../model/result.js";
import type { Database } from "../database.js";
import { DatabaseReader } from "../read/reader.js";
import { changeNr, latestOp } from "../rows/log-rows.js";
import { numberOf, textOf } from "../rows/values.js";
import type { Reader, Store } from "../store.js";
import { type KeptState, type KeptStates, shortLink } from "./kept-states.js";
import { Moment } from "./moment.js";

/** One for a person who goes through the history, one for another who looks at another moment. */
const OPEN_MOMENTS = 2;

/** `near`: moving over so many operations costs less than beginning from a state. `changesApart`: changes between two states; moving
 *  over half of them takes about as long as loading one. */
export const USUAL_DISTANCES = { near: 500, changesApart: 4_000 };

/** States of larger plans take too much of the disk, and too long, to be made before anyone asks. */
const PREPARED_BYTES_LIMIT = 32_000_000;

export interface PastSource {
  /** An empty database in memory, or one in a file, with the plan attached as `live`. */
  readonly open: (file?: string) => Promise<Database>;
  /** Null: nothing is kept. */
  readonly states: KeptStates | null;
  readonly distances: typeof USUAL_DISTANCES;
}

interface Open {
  /** Where it is once everything that waits for it has read. */
  op: number;
  readonly begun: Promise<Moment>;
  /** Resolves when nothing uses it. */
  free: Promise<void>;
  waiting: number;
}

export class PastMoments {
  readonly #source: PastSource;
  readonly #open: Open[] = [];
  #preparing: Promise<void> | undefined;
  #isClosed = false;
  /** The latest operation when states were last looked for. */
  #preparedTo = Number.NEGATIVE_INFINITY;

  constructor(source: PastSource) {
    this.#source = source;
  }

  async read<T>(op: number, work: (reader: Reader) => Promise<T>, left?: AbortSignal): Promise<T> {
    if (this.#isClosed) throw new Error("The plan is closed.");
    // Taken before anything is awaited: no other read may close it in between.
    const open = this.#nearest(op);
    const before = open.free;
    let release = (): void => undefined;
    open.free = new Promise((done) => {
      release = done;
    });
    open.waiting++;
    open.op = op;
    await before;
    try {
      const moment = await open.begun;
      await moment.move(op);
      return await moment.db.read(() => work(new DatabaseReader(moment.db)), left);
    } finally {
      open.waiting--;
      release();
    }
  }

  #nearest(op: number): Open {
    const free = this.#open.filter(({ waiting }) => waiting === 0);
    const near = nearestTo(op, free);
    if (near && Math.abs(near.op - op) <= this.#source.distances.near) return near;
    if (this.#open.length < OPEN_MOMENTS) return this.#add(op, this.#begin(op));
    const state = nearestTo(op, this.#source.states?.list() ?? []);
    if (!near) return nearestTo(op, this.#open) as Open;
    if (!state || Math.abs(state.op - op) + this.#source.distances.near > Math.abs(near.op - op)) return near;
    this.#open.splice(this.#open.indexOf(near), 1);
    const begun = near.begun.then(({ db }) => db.close()).then(() => this.#begin(op));
    return this.#add(op, begun);
  }

  #add(op: number, begun: Promise<Moment>): Open {
    const open: Open = { op, begun, free: Promise.resolve(), waiting: 0 };
    this.#open.push(open);
    begun.catch(() => {
      const index = this.#open.indexOf(open);
      if (index >= 0) this.#open.splice(index, 1);
    });
    return open;
  }

  /** From the nearest state that belongs to this log, or from now. */
  async #begin(op: number): Promise<Moment> {
    const empty = await this.#source.open();
    const latest = await latestOp(empty, "live.operation");
    const states = [...(this.#source.states?.list() ?? [])].sort((a, b) => Math.abs(a.op - op) - Math.abs(b.op - op));
    for (const state of states) {
      // Copying the plan takes as long as moving over some thousand operations.
      if (Math.abs(state.op - op) > Math.abs(latest - op) + 4 * this.#source.distances.near) break;
      const begun = (await isOf(state, empty)) && (await this.#load(state, op));
      if (!begun) continue;
      await empty.close();
      return begun;
    }
    return closingOnError(empty, () => Moment.copy(empty));
  }

  async #load(state: KeptState, op: number): Promise<Moment | null> {
    const { states, open } = this.#source;
    const copy = states?.takeCopy(state) ?? null;
    if (copy === null) return null;
    try {
      const db = await open(copy);
      return await closingOnError(db, async () => {
        const moment = await Moment.from(db, state.op);
        await moment.move(op);
        return moment;
      });
    } catch {
      // Damaged, or of another version: it is made again from the log.
      removeQuietly(state.file);
      return null;
    } finally {
      // What is open stays readable.
      removeQuietly(copy);
    }
  }

  /** Keeps states all along the log. One at a time, and only those that are missing. */
  prepare(signal: AbortSignal): Promise<void> {
    this.#preparing ??= this.#prepare(signal).finally(() => {
      this.#preparing = undefined;
    });
    return this.#preparing;
  }

  async #prepare(signal: AbortSignal): Promise<void> {
    const { states } = this.#source;
    if (!states) return;
    const { latest, missing } = await this.#missing(states);
    if (missing.length > 0 && !(await this.#keepAll(states, missing, signal))) return;
    this.#preparedTo = Math.max(this.#preparedTo, latest);
  }

  /** False: it was stopped before the end. */
  async #keepAll(states: KeptStates, missing: readonly number[], signal: AbortSignal): Promise<boolean> {
    const moment = await this.#begin(missing[0] as number);
    const { db } = moment;
    try {
      const bytes = await db.size();
      if (bytes > PREPARED_BYTES_LIMIT) {
        this.#preparedTo = Number.POSITIVE_INFINITY;
        return true;
      }
      for (const op of missing) {
        if (signal.aborted || this.#isClosed) return false;
        await moment.move(op);
        await states.keep(op, textOf(await linkOf(db, op)), (file) => db.copyTo(file), states.most(bytes));
      }
      return true;
    } finally {
      await db.close();
    }
  }

  /** Operations after which a state should be kept and none is near, the latest first. Nothing while little has happened since. */
  async #missing(states: KeptStates): Promise<{ readonly latest: number; readonly missing: number[] }> {
    const { open, distances } = this.#source;
    const db = await open();
    try {
      const latest = await latestOp(db, "live.operation");
      if (latest - this.#preparedTo < 2 * distances.near) return { latest: this.#preparedTo, missing: [] };
      const marks = await marksIn(db, latest, states.most(states.size()), distances.changesApart);
      const known: KeptState[] = [];
      for (const state of states.list()) if (await isOf(state, db)) known.push(state);
      const apart = latest / (marks.length + 1);
      const missing = marks.filter((op) => !known.some((state) => Math.abs(state.op - op) < apart / 4));
      return { latest, missing };
    } finally {
      await db.close();
    }
  }

  /** The plan as it was after this operation. Everything else is what the store of now says. */
  storeAt(now: Store, op: number): Store {
    return {
      ...now,
      read: (work, left) => this.read(op, work, left),
      commit: async () => itIsPast(op),
      rehearse: async () => itIsPast(op),
      // oxlint-disable-next-line require-yield -- nothing follows the past
      follow: async function* () {},
      close: async () => undefined,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#preparing;
    for (const { begun, free } of this.#open.splice(0)) {
      await free;
      await begun.then(
        ({ db }) => db.close(),
        () => undefined,
      );
    }
  }
}

function nearestTo<T extends { readonly op: number }>(op: number, all: readonly T[]): T | undefined {
  let best: T | undefined;
  for (const each of all) if (!best || Math.abs(each.op - op) < Math.abs(best.op - op)) best = each;
  return best;
}

async function closingOnError<T>(db: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function linkOf(db: Database, op: number): Promise<string | undefined> {
  const row = await db.get("select link from live.operation where op = ?", op);
  return row && textOf(row["link"]);
}

const isOf = async ({ op, link }: KeptState, db: Database): Promise<boolean> => {
  const known = await linkOf(db, op);
  return known !== undefined && shortLink(known) === link;
};

/** Operations with about as many changes between them, the latest first. */
async function marksIn(db: Database, latest: number, most: number, apart: number): Promise<number[]> {
  const changes = numberOf((await db.get("select count(*) as changes from live.change"))?.["changes"]);
  const step = Math.max(apart, Math.ceil(changes / (most + 1)));
  const marks: number[] = changes < step ? [] : [latest];
  for (let before = changeNr(2 ** 28, 0); marks.length < most; ) {
    const row = await db.get(
      `select nr, op from live.change where nr < ? order by nr desc limit 1 offset ${step}`,
      before,
    );
    if (!row) break;
    before = numberOf(row["nr"]);
    if (numberOf(row["op"]) !== marks.at(-1)) marks.push(numberOf(row["op"]));
  }
  return marks;
}

const itIsPast = (op: number): Result<never> =>
  refused("past", `This is the plan as it was after operation ${op}. What happened stays so.`);
