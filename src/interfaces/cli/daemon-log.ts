// The log of a daemon as somebody reads it who goes on reading: the daemon cuts it when it has become too long.

import { closeSync, fstatSync, openSync, readSync, watch } from "node:fs";
import { absent, ok, type Result } from "../../app/vocabulary.js";

interface Log {
  /** What was written since the last time. */
  rest(): string;
  close(): void;
}

export function openLog(path: string): Result<Log> {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return absent("no-log", "No daemon has written a log here yet.", { hint: "`planwright daemon start` starts one." });
  }
  let at = 0;
  return ok({
    rest: () => {
      const { size } = fstatSync(file);
      // It was cut: what is there now is new.
      if (size < at) at = 0;
      const left = size - at;
      const bytes = Buffer.alloc(left);
      at += readSync(file, bytes, 0, left, at);
      return bytes.toString("utf8");
    },
    close: () => closeSync(file),
  });
}

export const followed = (path: string, onChange: () => void, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const watcher = watch(path, onChange);
    const end = (): void => {
      watcher.close();
      done();
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
