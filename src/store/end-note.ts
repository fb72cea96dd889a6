// Notes beside the plan's file which operation was the last. Newest operations are in the write-ahead log (`plan.db-wal`): if
// that file is lost, the plan opens as it was some time ago, and only this note knows.

import { readFileSync, writeFileSync } from "node:fs";
import type { Database } from "./database.js";
import type { Cut } from "./store.js";

/** A program that commits thousands of times notes the end now and then, and when it closes the plan. */
const NOTE_EVERY_S = 1;

const fileOf = (path: string): string => `${path}-end`;

/** 0 if nothing was noted. */
export function readEnd(path: string): number {
  try {
    return Number.parseInt(readFileSync(fileOf(path), "utf8"), 10) || 0;
  } catch {
    return 0;
  }
}

/** A note that cannot be written, for example on a full disk, costs nothing but its use. */
export function writeEnd(path: string, op: number): void {
  try {
    writeFileSync(fileOf(path), `${op}\n`, { mode: 0o600 });
  } catch {
    // The operation itself is safe.
  }
}

/** What is missing at the end of the log. Reads the note first: another process may commit and note more in between. */
export async function findCut(db: Database, path: string): Promise<Cut | null> {
  const known = readEnd(path);
  if (known === 0) return null;
  const found = Number((await db.get("select max(op) as op from operation"))?.["op"] ?? 0);
  return known > found ? { found, known } : null;
}

export class EndNote {
  readonly #path: string;
  #noted = -NOTE_EVERY_S;
  #pending = 0;

  constructor(path: string) {
    this.#path = path;
  }

  note(op: number): void {
    this.#pending = op;
    if (process.uptime() - this.#noted >= NOTE_EVERY_S) this.flush();
  }

  flush(): void {
    if (this.#pending === 0 || this.#path === ":memory:") return;
    writeEnd(this.#path, this.#pending);
    this.#noted = process.uptime();
    this.#pending = 0;
  }
}
