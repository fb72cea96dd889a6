// Reads files that others can replace by a pipe. Opening a pipe waits until a program writes into it, and the whole program would
// wait with it, deaf to Ctrl-C. `test/architecture.test.ts` lists the few files that may read in another way.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** For reading. It does not wait for a pipe, so whoever reads from it looks first what it is. */
export const openWithoutWaiting = (path: string): number =>
  openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));

/** Throws if it cannot be read or is not a file. */
export function readPlainBytes(path: string): Buffer {
  const file = openWithoutWaiting(path);
  try {
    if (!fstatSync(file).isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: "ENOTFILE" });
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The same as text. */
export const readPlainFile = (path: string): string => readPlainBytes(path).toString("utf8");

/** Undefined if it cannot be read or is not a file. */
export function findPlainFile(path: string): string | undefined {
  try {
    return readPlainFile(path);
  } catch {
    return undefined;
  }
}

/** Flags to write a file anew. Where there is a pipe that nobody reads, opening it fails. */
export const WRITE_WITHOUT_WAITING =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NONBLOCK ?? 0);
