// Which of these files are not as they were in a commit: changed, gone, or new, committed or not.

import { relative, resolve } from "node:path";
import { git } from "./git.js";
import { findRepository } from "./repository.js";

/** How many paths fit on one command line with room to spare. */
const AT_ONCE = 200;

/** A folder of the main working tree, as it is in the working tree around `cwd`. */
export function folderSeenFrom(cwd: string, folder: string): string {
  const repository = findRepository(cwd);
  if (!repository || repository.top === repository.main) return folder;
  const inside = relative(repository.main, folder);
  return inside.startsWith("..") ? folder : resolve(repository.top, inside);
}

/** Paths are relative to `folder`. Undefined if git cannot tell: an unknown commit, or no git at all. */
export async function changedFiles(
  folder: string,
  commit: string,
  files: readonly string[],
): Promise<string[] | undefined> {
  const changed = new Set<string>();
  for (let i = 0; i < files.length; i += AT_ONCE) {
    const paths = files.slice(i, i + AT_ONCE).map((file) => `./${file}`);
    for (const question of [
      ["diff", "--name-only", "--relative", "-z", commit, "--"],
      ["ls-files", "--others", "--exclude-standard", "-z", "--"],
    ]) {
      const { exitCode, stdout } = await git(folder, [...question, ...paths]);
      if (exitCode !== 0) return undefined;
      for (const path of stdout.split("\0")) if (path !== "") changed.add(path);
    }
  }
  return [...changed].sort();
}
