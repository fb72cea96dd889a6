// Notices that another process has committed to an SQLite file. Every commit writes to the write-ahead log, so the folder
// is watched for that; `pragma data_version` then tells whether it was another process. Where the system cannot watch
// (network drives, exhausted limits), looking now and then is enough.

import { type FSWatcher, type Stats, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** The log is written before the commit becomes visible, with a wait for the disk in between: look again a few times. */
const LOOK_AFTER_MS = [5, 20, 80, 320];

/** No version of SQLite's. */
const UNREADABLE = -1;

const POLL_MS = 2000;
const POLL_UNWATCHED_MS = 250;

interface Watched {
  readonly path: string;
  /** Differs once another connection has committed. Throws or rejects while the file cannot be read. */
  readonly version: () => number | Promise<number>;
  readonly onCommit: () => void;
}

export class OtherProcesses {
  readonly #watched: Watched;
  #version: number | undefined;
  #folder: FSWatcher | undefined;
  #poll: NodeJS.Timeout;
  #nextLook: NodeJS.Timeout | undefined;
  #round = 0;
  #closed = false;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#folder = this.#watchFolder();
    this.#poll = setInterval(() => void this.#look(), this.#folder ? POLL_MS : POLL_UNWATCHED_MS);
    void this.#look();
  }

  #watchFolder(): FSWatcher | undefined {
    const { path } = this.#watched;
    const log = `${basename(path)}-wal`;
    try {
      const folder = watch(dirname(path), (_event, file) => {
        if (file === null || file === log) this.#lookSoon();
      });
      folder.on("error", () => this.#pollInstead());
      return folder;
    } catch {
      return undefined;
    }
  }

  #pollInstead(): void {
    this.#folder?.close();
    this.#folder = undefined;
    clearInterval(this.#poll);
    if (!this.#closed) this.#poll = setInterval(() => void this.#look(), POLL_UNWATCHED_MS);
  }

  /** A look that is due already covers what was written before it, unless it is one of the late ones. */
  #lookSoon(): void {
    if (this.#nextLook !== undefined && this.#round === 0) return;
    clearTimeout(this.#nextLook);
    this.#schedule(0);
  }

  #schedule(round: number): void {
    const delay = LOOK_AFTER_MS[round];
    this.#round = round;
    this.#nextLook = undefined;
    if (delay === undefined || this.#closed) return;
    this.#nextLook = setTimeout(() => {
      this.#nextLook = undefined;
      void this.#look().then((found) => {
        if (!found && this.#nextLook === undefined) this.#schedule(round + 1);
      });
    }, delay);
  }

  async #look(): Promise<boolean> {
    const before = this.#version;
    try {
      this.#version = await this.#watched.version();
    } catch {
      this.#version = UNREADABLE;
      return false;
    }
    if (this.#closed || before === undefined || before === this.#version) return false;
    this.#watched.onCommit();
    return true;
  }

  close(): void {
    this.#closed = true;
    this.#folder?.close();
    clearInterval(this.#poll);
    clearTimeout(this.#nextLook);
  }
}

/** Whether two paths, or one path at two moments, lead to the same file. */
export const isSameFile = (a: Pick<Stats, "dev" | "ino">, b: Pick<Stats, "dev" | "ino"> | undefined): boolean =>
  b !== undefined && a.ino === b.ino && a.dev === b.dev;
