// Reads a file that a worker may have replaced by a pipe. Reading a pipe would block the whole program until another program writes.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Throws if it cannot be read or is not a file. */
export function readPlainFile(path: string): string {
  // Without O_NONBLOCK, opening a pipe already waits.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: "ENOTFILE" });
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}
