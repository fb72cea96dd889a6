// The files of a repository that belong to it: tracked ones, and new ones that are not ignored.

import { run } from "../process/run.js";

/** More than any prompt or lint wants to look at. */
const KEEP = 64_000_000;

/** Relative to the folder. Undefined if git cannot tell. */
export async function listFiles(folder: string): Promise<string[] | undefined> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const { exitCode, stdout } = await run({ command: "git", args, cwd: folder, keep: KEEP });
  if (exitCode !== 0) return undefined;
  return [...new Set(stdout.split("\0").filter((path) => path !== ""))].sort();
}
