// Reads a log that another program keeps writing to, and that is cut when it gets too long.

import { closeSync, fstatSync, readSync } from "node:fs";
import { openWithoutWaiting } from "../../base/plain-file.js";

export interface LogReader {
  /** What was written since the last call. */
  rest(): string;
  close(): void;
}

/** From its end unless told otherwise. */
export function openLog(path: string, from: "start" | "end" = "end"): LogReader {
  const file = openWithoutWaiting(path);
  let at = from === "start" ? 0 : fstatSync(file).size;
  return {
    rest: () => {
      const { size } = fstatSync(file);
      // It was cut: what is there now is new.
      if (size < at) at = 0;
      const bytes = Buffer.alloc(size - at);
      at += readSync(file, bytes, 0, bytes.length, at);
      return bytes.toString("utf8");
    },
    close: () => closeSync(file),
  };
}
