// Which git is started: the first on the PATH, by its full path.

import { existsSync } from "node:fs";
import { findCommand } from "../process/environment.js";

const found = new Map<string, string>();

/** Git is looked for once, so that no other program takes its place while we work. Without a git, this is a path where none can be. */
export function gitProgram(path = ""): string {
  const known = found.get(path) ?? findCommand("git", path, "/");
  if (known !== undefined) found.set(path, known);
  return known ?? "/git";
}

export const isGitThere = (path: string | undefined): boolean => existsSync(gitProgram(path));
