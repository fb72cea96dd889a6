// Files that a worker can leave to make our own git wait for ever: pipes where git reads settings. We look before git does.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RunResult } from "../process/run.js";
import { type GitOptions, git } from "./git.js";
import type { WorkingTree } from "./working-tree.js";

/** Git reads these in any folder. */
const READ_BY_GIT: ReadonlySet<string> = new Set([".gitattributes", ".gitignore", ".gitmodules", ".mailmap"]);

/** Deeper than any project that people read. */
const DEPTH = 60;

const isSpecial = (path: string): boolean => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (stat.isFIFO() || stat.isSocket() || stat.isCharacterDevice() || stat.isBlockDevice());
};

/** Pipes at the top that git would wait for. */
export const pipesAtTop = (path: string): string[] => [...READ_BY_GIT].filter((name) => isSpecial(join(path, name)));

/** All of them, anywhere: a look at every folder, for a git that takes long. */
function findPipes(path: string): string[] {
  const found: string[] = [];
  const look = (folder: string, depth: number): void => {
    for (const entry of readdirSync(join(path, folder), { withFileTypes: true })) {
      const here = join(folder, entry.name);
      if (READ_BY_GIT.has(entry.name) && !entry.isFile() && isSpecial(join(path, here))) found.push(here);
      else if (entry.isDirectory() && entry.name !== ".git" && depth < DEPTH) look(here, depth + 1);
    }
  };
  look("", 0);
  return found;
}

/** A git that takes longer may wait for a pipe. */
const PATIENCE_MS = 2_000;

/** Git over files that a worker made. `onPipes` does something about pipes that it waits for; then it starts again. */
export async function gitOverFiles(
  tree: WorkingTree,
  args: readonly string[],
  options: GitOptions,
  onPipes: (paths: readonly string[]) => void,
): Promise<RunResult> {
  const stop = new AbortController();
  const all = { gitDir: tree.gitDir, ...options };
  let pipes: readonly string[] = [];
  const timer = setTimeout(() => {
    pipes = findPipes(tree.path);
    if (pipes.length > 0) stop.abort();
  }, PATIENCE_MS);
  const result = await git(tree.path, args, { ...all, signal: stop.signal });
  clearTimeout(timer);
  if (result.endedBy !== "cancel") return result;
  onPipes(pipes);
  return git(tree.path, args, all);
}
