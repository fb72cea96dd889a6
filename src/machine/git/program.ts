// Which git is started: the first on the PATH, by its full path. A relative folder of the PATH would be one of the folder that git works
// in, where a worker can put a program of that name.

import { delimiter, isAbsolute } from "node:path";
import { findCommand } from "../process/environment.js";

/** Without what leads from the current folder. */
export const absolutePath = (path = ""): string =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);

const found = new Map<string, string>();

/** Looked for once, so that nobody puts another one there while we work. Where there is none, its name, which cannot be started either. */
export function gitProgram(path = ""): string {
  const known = found.get(path) ?? findCommand("git", path, "/");
  if (known !== undefined) found.set(path, known);
  return known ?? "/git";
}
