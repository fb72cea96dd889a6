// Writes a file whole or not at all, with the rights that it had. A link stays a link, and its target is written.

import { randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";

const MODE = 0o777;

export function writeWhole(path: string, text: string, mode?: number): void {
  const target = targetOf(path);
  const rights = statSync(target, { throwIfNoEntry: false })?.mode ?? mode;
  const fresh = `${target}.${randomUUID()}`;
  try {
    writeFileSync(fresh, text, { flag: "wx", ...(rights === undefined ? {} : { mode: rights & MODE }) });
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** Where a link leads, even if nothing is there yet. */
export function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
    return link === undefined ? path : resolve(dirname(path), link);
  }
}

/** Why this file cannot be written, removed or made; undefined if it can. */
export function whyNotWritable(path: string): string | undefined {
  const target = targetOf(path);
  const found = statSync(target, { throwIfNoEntry: false });
  if (found && (found.mode & WRITABLE) === 0) return "is read-only";
  let folder = dirname(target);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    if (found) accessSync(target, constants.W_OK);
    return statSync(folder).isDirectory() ? undefined : `cannot be made, because ${folder} is not a folder`;
  } catch {
    return "cannot be written";
  }
}

const WRITABLE = 0o222;
