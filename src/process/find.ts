// Finds a command as a shell would, without starting one.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** The file that `command` starts, or undefined. A command with a slash is a path, taken from `cwd`. */
export async function findCommand(command: string, path: string | undefined, cwd: string): Promise<string | undefined> {
  if (command === "") return undefined;
  const folders = (path ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const candidates = command.includes("/") ? [resolve(cwd, command)] : folders.map((folder) => join(folder, command));
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
  return undefined;
}
