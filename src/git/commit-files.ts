// Commits exactly these files, whatever else is staged or changed around them.

import { run } from "../process/run.js";

export type FileCommit = { readonly commit: string } | { readonly problem: string };

/** Paths are relative to the folder. What others have staged stays staged and uncommitted. */
export async function commitFiles(folder: string, files: readonly string[], message: string): Promise<FileCommit> {
  const git = (...args: string[]): ReturnType<typeof run> => run({ command: "git", args, cwd: folder });
  const paths = files.map((file) => `./${file}`);
  const added = await git("add", "--", ...paths);
  if (added.exitCode !== 0) return { problem: added.output.trim() };
  const committed = await git("commit", "--quiet", "--only", "-m", message, "--", ...paths);
  const { stdout, exitCode } = await git("rev-parse", "HEAD");
  // Nothing to commit is a success: the files are in HEAD as they are.
  const same = await git("diff", "--quiet", "HEAD", "--", ...paths);
  if (exitCode !== 0 || same.exitCode !== 0) return { problem: committed.output.trim() };
  return { commit: stdout.trim() };
}
