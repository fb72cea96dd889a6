// The files of a repository that belong to it: tracked ones, and new ones that are not ignored.

import { git } from "./git.js";

/** Relative to the folder. Undefined if git cannot tell. */
export async function listFiles(folder: string): Promise<string[] | undefined> {
  const { exitCode, stdout } = await git(folder, ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
  if (exitCode !== 0) return undefined;
  return [...new Set(stdout.split("\0").filter((path) => path !== ""))].sort();
}
