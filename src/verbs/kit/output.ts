// Writes to the terminal's descriptors directly: `process.stdout` costs 4 ms when it is a pipe.

import { fstatSync, statSync, writevSync } from "node:fs";
import { codeOf } from "../../base/errors.js";

let gone = false;

/** Whether the reader of standard output is still there. */
export const isRead = (): boolean => !gone;

/** All of it, also into a pipe whose reader is slow. A reader that went away ends the output quietly. */
export function write(descriptor: 1 | 2, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  for (;;) {
    try {
      // For one buffer as well: Node compiles less of its own for it than for `writeSync`.
      const written = writevSync(descriptor, [rest]);
      if (written === rest.length) return;
      rest = rest.subarray(written);
    } catch (error) {
      const code = codeOf(error);
      if (code === "EPIPE") {
        gone ||= descriptor === 1;
        return;
      }
      if (code !== "EAGAIN") throw error;
      // Blocks. What it waits on takes 0.1 ms to make, which hardly any command has to pay.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

/**
 * Whether it may be a terminal: good enough to choose colours, not to ask questions. The null device is none: agents often give it
 * as input, and to ask Node about it would load `process.stdin`, which takes 4 ms.
 */
export function isTerminal(descriptor: number): boolean {
  try {
    const opened = fstatSync(descriptor);
    return opened.isCharacterDevice() && opened.rdev !== statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
  } catch {
    return false;
  }
}

let left = false;

/** Ctrl-C at a question: what was asked for ends as if you had said no, and the exit code says that you stopped it. */
export const leave = (): void => {
  left = true;
};

export const hasLeft = (): boolean => left;

export const screen = (): Pick<typeof process.stdout, "isTTY" | "columns" | "rows"> => process.stdout;
