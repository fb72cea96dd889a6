// Files of the user's checkout and of its commits: which exist, which changed since a commit, and a commit of only some of them.

import { lstatSync, type Stats } from "node:fs";
import { relative, resolve } from "node:path";
import { isInside } from "../../base/paths.js";
import { git, gitOutput, splitList } from "./git.js";
import { type GitResult, runGit } from "./pipes.js";
import { findRepository } from "./repository.js";

/** Undefined, too, where something above is no folder, or may not be looked at. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Tracked files and new ones that are not ignored, relative to the folder. Undefined if git cannot tell. */
export async function listFiles(folder: string): Promise<string[] | undefined> {
  const { exitCode, stdout } = await git(folder, ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
  return exitCode === 0 ? [...new Set(splitList(stdout))].sort() : undefined;
}

/** The files of a commit below the folder, relative to it. */
export async function filesAt(folder: string, commit: string): Promise<string[]> {
  const args = ["ls-tree", "-r", "-z", "--name-only", commit];
  return splitList(await gitOutput(folder, args, `git cannot list the files of ${commit}`)).sort();
}

/** The folder of the working tree around `cwd` that matches this folder of the main working tree. */
export function folderSeenFrom(cwd: string, folder: string): string {
  const repository = findRepository(cwd);
  if (!repository || repository.top === repository.main) return folder;
  return isInside(folder, repository.main) ? resolve(repository.top, relative(repository.main, folder)) : folder;
}

/** The text of a file in a commit. Null if it has none. */
export async function fileAt(cwd: string, commit: string, path: string): Promise<string | null> {
  const { exitCode, stdout } = await git(cwd, ["show", `${commit}:${path}`]);
  return exitCode === 0 ? stdout : null;
}

/** How many paths fit on one command line. */
const AT_ONCE = 200;

/**
 * Which of these files differ from the commit: changed, deleted or new, committed or not. Paths are relative to `folder`, and
 * `.` stands for everything in it.
 * Undefined if git cannot tell, for example because it does not know the commit.
 */
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
      // A checkout of the user: its filters decide what is in the files.
      const { exitCode, stdout } = await git(folder, [...question, ...paths], { drivers: true });
      if (exitCode !== 0) return undefined;
      for (const path of splitList(stdout)) changed.add(path);
    }
  }
  return [...changed].sort();
}

/** What differs between two commits below the folder, relative to it. */
export async function changedFilesBetween(folder: string, from: string, to: string): Promise<string[]> {
  const args = [
    "diff-tree",
    "-r",
    "--name-only",
    "--no-renames",
    "--relative",
    "-z",
    "--end-of-options",
    from,
    to,
    "--",
  ];
  return splitList(await gitOutput(folder, args, `git cannot compare ${from} and ${to}`));
}

export type FileCommit = { readonly commit: string } | { readonly problem: string };

/**
 * Commits these files and nothing else, as the user would: with hooks and signature. Other staged changes stay staged.
 * Paths are relative to the folder.
 */
export async function commitFiles(folder: string, files: readonly string[], message: string): Promise<FileCommit> {
  const own = (...args: string[]): Promise<GitResult> => runGit({ args, cwd: folder });
  const paths = files.map((file) => `./${file}`);
  const staged = await own("diff", "--cached", "--name-only", "-z", "--", ...paths);
  const added = await own("add", "--", ...paths);
  if (added.exitCode !== 0) return { problem: added.output.trim() };
  const committed = await own("commit", "--quiet", "--only", "-m", message, "--", ...paths);
  const { stdout, exitCode } = await own("rev-parse", "HEAD");
  // If there was nothing to commit, the files are in HEAD as they are.
  const same = await own("diff", "--quiet", "HEAD", "--", ...paths);
  if (exitCode !== 0 || same.exitCode !== 0) {
    // Your index is as it was: what you had staged of these files yourself stays.
    if (staged.stdout === "")
      await own(...(exitCode === 0 ? ["reset", "--quiet"] : ["rm", "--cached", "--quiet"]), "--", ...paths);
    return { problem: committed.output.trim() };
  }
  return { commit: stdout.trim() };
}
