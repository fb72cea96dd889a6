// States of the plan at earlier moments, kept in files beside it: a look at a far moment begins from the nearest one. Readers
// make them, never writers, and every one of them can be made again from the log: a file that is missing, foreign or damaged costs time.

import { randomUUID } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { namesInFolder, removeQuietly } from "../../base/paths.js";
import { SCHEMA } from "../migrations/schema.js";

/** More states make far moments faster, and take more of the disk. */
const STATE_LIMIT = 32;
const BYTE_LIMIT = 200_000_000;

export interface KeptState {
  readonly op: number;
  readonly link: string;
  readonly file: string;
}

/** Rows of another schema may mean something else, so their states are never looked at again. */
const NAME = new RegExp(`^(\\d+)-([0-9a-f]{16})-${SCHEMA}\\.state$`);
const LEFTOVER_MS = 3_600_000;

/** A state belongs to a log in which its operation has this link: after a restored backup it may be another. */
export const shortLink = (link: string): string => link.slice(0, 16);

export class KeptStates {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** In the order of the log. */
  list(): KeptState[] {
    const found: KeptState[] = [];
    for (const name of namesInFolder(this.#folder)) {
      const [, op, link] = NAME.exec(name) ?? [];
      if (op !== undefined && link !== undefined) found.push({ op: Number(op), link, file: join(this.#folder, name) });
    }
    return found.sort((a, b) => a.op - b.op);
  }

  /** A copy that may be changed; null if the state is not there any more. */
  takeCopy({ file }: KeptState): string | null {
    const copy = this.#fresh("copy");
    try {
      copyFileSync(file, copy);
      return copy;
    } catch {
      removeQuietly(copy);
      return null;
    }
  }

  /** `write` makes the file. Without room on the disk, or in a folder that cannot be written to, nothing is kept. */
  async keep(op: number, link: string, write: (file: string) => Promise<void>, most: number): Promise<void> {
    const fresh = this.#fresh("new");
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      chmodSync(this.#folder, 0o700);
      this.#sweep();
      await write(fresh);
      chmodSync(fresh, 0o600);
      renameSync(fresh, join(this.#folder, `${op}-${shortLink(link)}-${SCHEMA}.state`));
      this.#thinOut(most);
    } catch {
      removeQuietly(fresh);
    }
  }

  /** How many bytes one state takes; 1 if there is none. */
  size(): number {
    const [first] = this.list();
    return (first && statSync(first.file, { throwIfNoEntry: false })?.size) || 1;
  }

  /** How many are kept of a plan whose states have so many bytes. */
  most(bytes: number): number {
    return Math.max(2, Math.min(STATE_LIMIT, Math.floor(BYTE_LIMIT / bytes)));
  }

  /** Removes those whose neighbours are nearest to each other. */
  #thinOut(most: number): void {
    const states = this.list();
    while (states.length > most) {
      const gaps = states.map((_, i) => (states[i + 1]?.op ?? Number.POSITIVE_INFINITY) - (states[i - 1]?.op ?? 0));
      const [gone] = states.splice(gaps.indexOf(Math.min(...gaps)), 1);
      if (gone) removeQuietly(gone.file);
    }
  }

  /** Files that a killed process or an older program left behind. One that is young may be in use. */
  #sweep(): void {
    for (const name of namesInFolder(this.#folder)) {
      const file = join(this.#folder, name);
      if (NAME.test(name)) continue;
      const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
      if (written !== undefined && Date.now() - written > LEFTOVER_MS) removeQuietly(file);
    }
  }

  #fresh(kind: "copy" | "new"): string {
    return join(this.#folder, `${kind}-${randomUUID()}`);
  }
}
