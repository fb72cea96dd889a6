// The boards that run for a workspace on this machine, and the codes that another command leaves for them. Only you can read or write
// these files, workers in a sandbox do not see them, and none holds a code or a token in a form that can be used.

import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { writeOwnFile } from "../../config/state-folder.js";
import { isAlive, ownDriver } from "../../machine/process/orphans.js";

export interface BoardFacts {
  readonly port: number;
  readonly actor: string;
  /** A person started it and can confirm there. */
  readonly canConfirm: boolean;
  readonly readOnly: boolean;
  /** Beside the work of a daemon. */
  readonly ofDaemon: boolean;
}

export interface RunningBoard extends BoardFacts {
  readonly id: string;
}

/** A one-time code that can be compared with what is typed, and not read. */
export interface SealedCode {
  readonly salt: string;
  readonly key: string;
  readonly until: number;
}

interface Note extends BoardFacts {
  readonly host: string;
  readonly driver: string;
}

const NOTE = ".json";
const CODE = ".code";

export class RunningBoards {
  readonly #folder: string | undefined;

  /** Without a folder it notes nothing and finds nothing. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** Notes a board of this process; `end` removes the note. */
  register(facts: BoardFacts): { readonly id: string; readonly end: () => void } {
    const id = randomBytes(12).toString("hex");
    this.#write(`${id}${NOTE}`, { ...facts, host: hostname(), driver: ownDriver() } satisfies Note);
    this.#forgetEnded(id);
    return { id, end: () => this.#forget(id) };
  }

  /** Lists boards whose process still runs: nobody else has its port as long as it does. */
  list(): RunningBoard[] {
    return this.#ids().flatMap((id): RunningBoard[] => {
      const note = this.#read<Note>(`${id}${NOTE}`);
      if (note === undefined || !isHere(note)) return [];
      const { port = 0, actor = "", canConfirm = false, readOnly = false, ofDaemon = false } = note;
      return [{ id, port, actor, canConfirm, readOnly, ofDaemon }];
    });
  }

  leaveCode(id: string, code: SealedCode): boolean {
    return this.#write(`${id}${CODE}`, code);
  }

  /** The code that was left, once. */
  takeCode(id: string): SealedCode | undefined {
    const left = this.#read<SealedCode>(`${id}${CODE}`);
    if (left === undefined) return undefined;
    this.#remove(`${id}${CODE}`);
    return isCode(left) ? (left as SealedCode) : undefined;
  }

  #forgetEnded(own: string): void {
    for (const id of this.#ids()) {
      const note = this.#read<Note>(`${id}${NOTE}`);
      const isElsewhere = note !== undefined && note.host !== hostname();
      if (id !== own && !isElsewhere && (note === undefined || !isHere(note))) this.#forget(id);
    }
  }

  #forget(id: string): void {
    for (const kind of [NOTE, CODE]) this.#remove(`${id}${kind}`);
  }

  #ids(): string[] {
    if (this.#folder === undefined) return [];
    try {
      const names = readdirSync(this.#folder).filter((name) => name.endsWith(NOTE));
      return names.map((name) => name.slice(0, -NOTE.length)).filter((id) => /^[0-9a-f]{24}$/.test(id));
    } catch {
      return [];
    }
  }

  #read<T>(name: string): Partial<T> | undefined {
    if (this.#folder === undefined) return undefined;
    try {
      const read: unknown = JSON.parse(readPlainFile(join(this.#folder, name)));
      return typeof read === "object" && read !== null ? read : undefined;
    } catch {
      return undefined;
    }
  }

  #write(name: string, content: object): boolean {
    return this.#folder !== undefined && writeOwnFile(join(this.#folder, name), JSON.stringify(content));
  }

  #remove(name: string): void {
    if (this.#folder === undefined) return;
    try {
      rmSync(join(this.#folder, name), { force: true });
    } catch {
      // What cannot be removed names a process that has ended, or a code that is too old.
    }
  }
}

const isHere = ({ host, driver }: Partial<Note>): boolean =>
  host === hostname() && driver !== undefined && (driver === ownDriver() || isAlive(driver));

const isCode = ({ salt, key, until }: Partial<SealedCode>): boolean =>
  typeof salt === "string" && typeof key === "string" && typeof until === "number";
