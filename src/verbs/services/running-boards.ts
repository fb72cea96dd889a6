// The boards that run for a workspace on this machine, and the codes that another command leaves for them. Only you can read or write
// these files, workers in a sandbox do not see them, and none holds a code or a token in a form that can be used.

import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { OwnFolder } from "../../config/own-folder.js";
import { isAlive, ownDriver } from "../../machine/process/orphans.js";

export interface BoardFacts {
  readonly port: number;
  readonly actor: string;
  /** A person started it and can confirm there. */
  readonly canConfirm: boolean;
  readonly readOnly: boolean;
  /** Beside the work of a daemon. */
  readonly ofDaemon: boolean;
  /** Its public key, for which codes are sealed. */
  readonly lock: string;
}

export interface RunningBoard extends BoardFacts {
  readonly id: string;
}

/** A one-time code that only the board for which it was sealed can compare with what is typed. */
export interface SealedCode {
  /** A public key that was made for this code. */
  readonly once: string;
  readonly mac: string;
  readonly until: number;
}

interface Note extends BoardFacts {
  readonly host: string;
  readonly driver: string;
}

const NOTE = ".json";
const CODE = ".code";

export class RunningBoards {
  readonly #folder: OwnFolder;

  /** Without a folder it notes nothing and finds nothing. */
  constructor(folder: string | undefined) {
    this.#folder = new OwnFolder(folder);
  }

  /** Notes a board of this process; `end` removes the note. */
  register(facts: BoardFacts): { readonly id: string; readonly end: () => void } {
    const id = randomBytes(12).toString("hex");
    this.#folder.write(`${id}${NOTE}`, { ...facts, host: hostname(), driver: ownDriver() } satisfies Note);
    this.#forgetEnded(id);
    return { id, end: () => this.#forget(id) };
  }

  /** Lists boards whose process still runs: nobody else has its port as long as it does. */
  list(): RunningBoard[] {
    return this.#folder.names(NOTE).flatMap((id): RunningBoard[] => {
      const note = this.#folder.read<Note>(`${id}${NOTE}`);
      // An older program seals no codes.
      if (note?.lock === undefined || !isHere(note)) return [];
      const { port = 0, actor = "", canConfirm = false, readOnly = false, ofDaemon = false, lock } = note;
      return [{ id, port, actor, canConfirm, readOnly, ofDaemon, lock }];
    });
  }

  leaveCode(id: string, code: SealedCode): boolean {
    return this.#folder.write(`${id}${CODE}`, code);
  }

  /** The code that was left, once. */
  takeCode(id: string): SealedCode | undefined {
    const left = this.#folder.read<SealedCode>(`${id}${CODE}`);
    if (left === undefined) return undefined;
    this.#folder.remove(`${id}${CODE}`);
    return isCode(left) ? (left as SealedCode) : undefined;
  }

  #forgetEnded(own: string): void {
    for (const id of this.#folder.names(NOTE)) {
      const note = this.#folder.read<Note>(`${id}${NOTE}`);
      const isElsewhere = note !== undefined && note.host !== hostname();
      if (id !== own && !isElsewhere && (note === undefined || !isHere(note))) this.#forget(id);
    }
  }

  #forget(id: string): void {
    for (const kind of [NOTE, CODE]) this.#folder.remove(`${id}${kind}`);
  }
}

const isHere = ({ host, driver }: Partial<Note>): boolean =>
  host === hostname() && driver !== undefined && (driver === ownDriver() || isAlive(driver));

const isCode = ({ once, mac, until }: Partial<SealedCode>): boolean =>
  typeof once === "string" && typeof mac === "string" && typeof until === "number";
