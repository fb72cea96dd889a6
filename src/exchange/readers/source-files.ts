// The files of another tool, read with care: nothing outside the folder, also through a link, nothing that is no file, and nothing
// too large to be a plan.

import { lstatSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { codeOf, messageOf } from "../../base/errors.js";
import { isInside, realPath } from "../../base/paths.js";
import { readPlainBytes } from "../../base/plain-file.js";
import { SourceProblem } from "../source/source.js";

const LARGEST = 512 * 1024 * 1024;
/** More entries than any tool keeps in one folder. */
const MOST_ENTRIES = 200_000;

export class SourceFiles {
  readonly root: string;

  constructor(root: string) {
    this.root = realPath(resolve(root));
  }

  /** Undefined if it leads out of the folder. */
  #inside(path: string): string | undefined {
    const whole = realPath(join(this.root, path));
    return isInside(whole, this.root) ? whole : undefined;
  }

  isFile(path: string): boolean {
    const whole = this.#inside(path);
    return whole !== undefined && statOf(whole)?.isFile() === true;
  }

  isFolder(path: string): boolean {
    const whole = this.#inside(path);
    return whole !== undefined && statOf(whole)?.isDirectory() === true;
  }

  /** Names in a folder, in the order of their characters and numbers; empty if it is none. Links are left out. */
  names(path: string, kind: "file" | "folder"): string[] {
    const whole = this.#inside(path);
    if (whole === undefined || statOf(whole)?.isDirectory() !== true) return [];
    const entries = readdirSync(whole, { withFileTypes: true });
    if (entries.length > MOST_ENTRIES) {
      throw new SourceProblem(
        { file: path },
        `The folder has ${entries.length} entries; at most ${MOST_ENTRIES} are read.`,
      );
    }
    return entries
      .filter((entry) => (kind === "file" ? entry.isFile() : entry.isDirectory()))
      .map(({ name }) => name)
      .sort(COLLATOR.compare);
  }

  /** The absolute path of a file that may be read. */
  pathOf(path: string): string {
    const whole = this.#inside(path);
    if (whole === undefined)
      throw new SourceProblem({ file: path }, "The file is a link out of the folder and is not read.");
    const size = statOf(whole)?.size ?? 0;
    if (size > LARGEST) {
      throw new SourceProblem(
        { file: path },
        `The file has ${Math.round(size / 1024 / 1024)} MB; at most ${LARGEST / 1024 / 1024} MB are read.`,
      );
    }
    return whole;
  }

  text(path: string): string {
    const bytes = this.#bytes(path);
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      const line = firstBadLine(bytes);
      throw new SourceProblem({ file: path, line }, "The file is not UTF-8 text.");
    }
  }

  #bytes(path: string): Buffer {
    const whole = this.pathOf(path);
    try {
      return readPlainBytes(whole);
    } catch (error) {
      const problem = codeOf(error) === "ENOENT" ? "There is no such file." : `It cannot be read: ${messageOf(error)}`;
      throw new SourceProblem({ file: path }, problem);
    }
  }
}

const COLLATOR = new Intl.Collator("en", { numeric: true });

function statOf(path: string) {
  try {
    return lstatSync(path).isSymbolicLink() ? undefined : statSync(path);
  } catch {
    return undefined;
  }
}

function firstBadLine(bytes: Buffer): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for (let from = 0; from <= bytes.length; line++) {
    const end = bytes.indexOf(10, from);
    const to = end === -1 ? bytes.length : end;
    try {
      decoder.decode(bytes.subarray(from, to));
    } catch {
      return line;
    }
    from = to + 1;
  }
  return line;
}
