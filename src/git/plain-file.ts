// Reads what should be a file where a worker may have put something else: to read a pipe is to wait for somebody who
// speaks, and with it everything else would wait.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Throws as reading does, and where it is no file. */
export function readPlainFile(path: string): string {
  // Of a pipe, opening alone would wait.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: "ENOTFILE" });
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}
