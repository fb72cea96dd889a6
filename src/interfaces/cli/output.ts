// Writes to the terminal's descriptors directly: `process.stdout` costs 4 ms when it is a pipe.

import { fstatSync, writeSync } from "node:fs";

const busy = new Int32Array(new SharedArrayBuffer(4));

/** All of it, also into a pipe whose reader is slow. A reader that went away ends the output quietly. */
export function write(descriptor: 1 | 2, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(busy, 0, 0, 2);
    }
  }
}

/** Good enough to choose colours; whether a person can be asked is a question for `node:tty`. */
export function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}
