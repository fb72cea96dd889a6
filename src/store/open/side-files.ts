// The files beside the plan's file: backups, and two notes. One says which operation was the last: newest operations are in the
// write-ahead log (`plan.db-wal`), and if that is lost, the plan opens as it was some time ago and only this note knows. The other says
// that a backup is being restored.

import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, messageOf } from "../../base/errors.js";
import { namesInFolder, removeQuietly } from "../../base/paths.js";
import { readPlainFile } from "../../base/plain-file.js";
import type { Database } from "../database.js";
import { removeParts } from "../dialects/sqlite/replace-file.js";
import { StoreFault } from "../fault.js";
import type { LogLink } from "../log-witness.js";
import { latestOp } from "../rows/log-rows.js";
import type { Cut } from "../store.js";

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
  const found = await latestOp(db);
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
    // Only forward: another process may have noted a later operation.
    if (this.#pending > readEnd(this.#path)) resetEnd(this.#path, this.#pending);
    this.#noted = process.uptime();
    this.#pending = 0;
  }
}

export const copyFile = (path: string): string => `${path}.restoring`;

const noteFile = (path: string): string => `${path}-restoring`;

export const noteRestore = (path: string, head: LogLink): void =>
  writeFileSync(noteFile(path), JSON.stringify(head), { mode: 0o600 });

export const isRestoreOpen = (path: string): boolean => existsSync(noteFile(path)) || existsSync(copyFile(path));

/** The end of the plan that was taking the place; null if it was killed before that. */
export function readRestoreNote(path: string): LogLink | null {
  try {
    return JSON.parse(readPlainFile(noteFile(path))) as LogLink;
  } catch {
    return null;
  }
}

/** Only while the plan is open: then nobody is restoring another one. */
export function endRestore(path: string): void {
  removeParts(copyFile(path));
  rmSync(noteFile(path), { force: true });
}

/** Copies whose program was stopped in the middle. */
function removeUnfinished(folder: string): void {
  for (const name of namesInFolder(folder)) {
    const [, pid] = /\.(\d+)\.partial$/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) removeQuietly(join(folder, name));
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

export async function backUpTo(db: Pick<Database, "copyTo">, file: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    removeUnfinished(dirname(file));
    // Before the plan is in it: nobody else may read it.
    closeSync(openSync(partial, "wx", 0o600));
    await db.copyTo(partial);
    renameSync(partial, file);
  } catch (error) {
    removeQuietly(partial);
    const message = `The backup ${file} cannot be made: ${messageOf(error)}. Nothing was changed. Free some disk space, or make the folder writable.`;
    throw new StoreFault({ kind: "refused", reason: "no-backup", message }, error);
  }
}
