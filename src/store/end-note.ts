// Notes beside the plan's file which operation was the last. Newest operations are in the write-ahead log (`plan.db-wal`): if
// that file is lost, the plan opens as it was some time ago, and only this note knows.

import { renameSync, rmSync, writeFileSync } from "node:fs";
import { readPlainFile } from "../base/plain-file.js";
import type { Database } from "./database.js";
import type { Cut } from "./store.js";

/** A program that commits thousands of times notes the end now and then, and when it closes the plan. */
const NOTE_EVERY_S = 1;

const fileOf = (path: string): string => `${path}-end`;

/** 0 if nothing was noted. */
export function readEnd(path: string): number {
  try {
    return Number.parseInt(readPlainFile(fileOf(path)), 10) || 0;
  } catch {
    return 0;
  }
}

/** Only forward: another process may have noted a later operation. */
function advanceEnd(path: string, op: number): void {
  if (op > readEnd(path)) resetEnd(path, op);
}

/** A note of a plan that was here before says nothing about a new one. */
export const forgetEnd = (path: string): void => rmSync(fileOf(path), { force: true });

/** As one step. A note that cannot be written, for example on a full disk, costs nothing but its use. */
export function resetEnd(path: string, op: number): void {
  const draft = `${fileOf(path)}.${process.pid}`;
  try {
    writeFileSync(draft, `${op}\n`, { mode: 0o600 });
    renameSync(draft, fileOf(path));
  } catch {
    // The operation itself is safe.
    rmSync(draft, { force: true });
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
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  note(op: number): void {
    this.#pending = op;
    const wait = NOTE_EVERY_S - (process.uptime() - this.#noted);
    if (wait <= 0) this.flush();
    // What comes last is noted too, also by a process that keeps the plan open for days.
    else this.#timer ??= setTimeout(() => this.flush(), wait * 1000).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending === 0 || this.#path === ":memory:") return;
    advanceEnd(this.#path, this.#pending);
    this.#noted = process.uptime();
    this.#pending = 0;
  }
}
