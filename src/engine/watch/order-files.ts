// The files at a path that agents obey, each with what it takes to put it back.

import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from "node:fs";
import { basename, join } from "node:path";
import { codeOf } from "../../base/errors.js";
import { KEPT_BY_AGENTS } from "../../machine/sandbox/agent-folders.js";

const LARGEST = 65_536;
/** Installed by a package manager, and too many to look at. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git"]);

export const isThere = (path: string): boolean => statOf(path) !== undefined;

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** By path in the home folder. An empty folder gives no orders. */
export function filesBelow(home: string, name: string): [string, string][] {
  const path = join(home, name);
  const found = statOf(path);
  if (found === undefined || KEPT_BY_AGENTS.includes(name)) return [];
  if (!found.isDirectory()) return [[name, stampOf(path, found)]];
  if (SKIPPED.has(basename(name))) return [];
  try {
    return readdirSync(path).flatMap((each) => filesBelow(home, `${name}/${each}`));
  } catch (error) {
    return [[name, `unreadable ${String(codeOf(error))}`]];
  }
}

const NO_PIPE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function bytesOf(path: string): Buffer {
  const file = openSync(path, NO_PIPE);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** `kind how text`; without the text if it cannot be put back. */
function stampOf(path: string, found: Stats): string {
  const { mode, size, mtimeMs, ino } = found;
  try {
    if (found.isSymbolicLink()) return `link to ${Buffer.from(readlinkSync(path)).toString("base64")}`;
    if (!found.isFile()) return `other ${mode}`;
    if (size > LARGEST) return `large ${ino}:${size}:${mtimeMs}:${mode}`;
    return `file ${(mode & 0o777).toString(8)} ${bytesOf(path).toString("base64")}`;
  } catch (error) {
    return `unreadable ${String(codeOf(error))}`;
  }
}
