// Finds a command as a shell would, without starting one.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** Not asynchronous: `why` looks for ten agents in every folder of the PATH, and the answers are there within microseconds. */
function isExecutable(file: string): boolean {
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The file that `command` starts, or undefined. A command with a slash is a path, taken from `cwd`. */
export function findCommand(command: string, path: string | undefined, cwd: string): string | undefined {
  if (command === "") return undefined;
  const folders = (path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const candidates = command.includes("/") ? [resolve(cwd, command)] : folders.map((folder) => join(folder, command));
  return candidates.find(isExecutable);
}
