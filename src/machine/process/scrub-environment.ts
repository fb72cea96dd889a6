// Removes secrets from what other processes of the same user can read of us. Linux shows the environment that a program was
// started with in /proc/PID/environ for as long as it runs, whatever the program makes of it later. A worker without a sandbox
// would find there every token that the engine was started with.

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { commandEnvironment, copyVariable, inherit } from "./environment.js";

/** Field 50 of /proc/self/stat, counted from the state, which follows the name in brackets. */
const ENV_START = 50 - 3;

/** Once is enough: the program is not started again. */
let isScrubbed = false;

/**
 * Moves everything that commands do not get anyway to the heap, and clears the place where it was. Returns the names that are
 * gone from there. Does nothing where the system has no such place, or forbids it.
 */
export function scrubOwnEnvironment(): readonly string[] {
  if (process.platform !== "linux" || isScrubbed) return [];
  isScrubbed = true;
  try {
    return scrub();
  } catch {
    return [];
  }
}

function scrub(): string[] {
  const stat = readFileSync("/proc/self/stat", "latin1");
  const start = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[ENV_START]);
  const block = readFileSync("/proc/self/environ");
  if (!Number.isSafeInteger(start) || start <= 0) return [];
  const shown = commandEnvironment(inherit({}), []);
  const memory = openSync("/proc/self/mem", "r+");
  const gone: string[] = [];
  try {
    for (let at = 0; at < block.length; ) {
      const end = block.indexOf(0, at);
      const entry = block.subarray(at, end < 0 ? block.length : end);
      const [name = "", ...rest] = entry.toString("utf8").split("=");
      const value = rest.join("=");
      if (name !== "" && shown[name] !== value) {
        // Setting it again, even to the same value, makes a copy elsewhere.
        copyVariable(name, value);
        writeSync(memory, Buffer.alloc(entry.length), 0, entry.length, start + at);
        gone.push(name);
      }
      at += entry.length + 1;
    }
  } finally {
    closeSync(memory);
  }
  return gone;
}
