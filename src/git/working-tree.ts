// A working tree by its folder alone, whatever a worker has done to it: with its `.git` deleted or replaced, git would
// find the repository around it and work on that instead.

import {
  copyFileSync,
  linkSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { findRepository, type Repository, readLine, repositoryAt } from "./repository.js";

export interface WorkingTree {
  readonly path: string;
  /** Its own: HEAD and index. */
  readonly gitDir: string;
  readonly commonDir: string;
}

const real = (path: string): string => {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
};

const pointsBack = (gitDir: string, path: string): boolean => {
  const back = readLine(join(gitDir, "gitdir"));
  return back !== undefined && real(dirname(back)) === real(path);
};

/** What a repository keeps about its linked worktree at a path, even if the worktree itself is broken or gone. */
export function administration({ commonDir }: Pick<Repository, "commonDir">, path: string): string | undefined {
  const folder = join(commonDir, "worktrees");
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // There has never been one.
  }
  return names.map((name) => join(folder, name)).find((gitDir) => pointsBack(gitDir, path));
}

export function workingTreeAt(path: string): WorkingTree | undefined {
  const here = repositoryAt(path);
  const linked = here !== undefined && here.gitDir !== here.commonDir;
  if (here && linked && pointsBack(here.gitDir, path)) return { path, gitDir: here.gitDir, commonDir: here.commonDir };
  const around = findRepository(dirname(path));
  const gitDir = around && administration(around, path);
  if (around && gitDir !== undefined) return { path, gitDir, commonDir: around.commonDir };
  return here && !linked ? { path, gitDir: here.gitDir, commonDir: here.commonDir } : undefined;
}

/** Gives a linked worktree its `.git` again. */
export function mendLink({ path, gitDir }: WorkingTree): void {
  const file = join(path, ".git");
  const text = `gitdir: ${gitDir}`;
  if (statSync(file, { throwIfNoEntry: false })?.isFile() && readLine(file) === text) return;
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, `${text}\n`);
}

/**
 * The index as it was when the worktree was last made to be one commit. It knows the files' times, so looking for changes is
 * quick, and none of the marks that a worker can set to hide a change from git.
 */
const firstIndex = ({ gitDir }: WorkingTree): string => join(gitDir, "planwright-index");
const ownIndex = ({ gitDir }: WorkingTree): string => join(gitDir, "index");

/** Git replaces an index, it never writes into one: a second name for it is a copy that costs nothing. */
function copy(from: string, to: string): boolean {
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
    return true;
  } catch {
    // No links on this file system, or no such file.
  }
  try {
    copyFileSync(from, to);
    // Git trusts a file's time only if it is before that of the index.
    const { atime, mtimeMs } = statSync(from);
    utimesSync(to, atime, new Date(Math.floor(mtimeMs)));
    return true;
  } catch {
    return false;
  }
}

export const rememberIndex = (tree: WorkingTree): boolean => copy(ownIndex(tree), firstIndex(tree));

/** Without one, git begins with an empty index. */
export const restoreIndex = (tree: WorkingTree): boolean => copy(firstIndex(tree), ownIndex(tree));

let count = 0;

/** An index to work with that nobody else sees. */
export async function withIndex<T>(tree: WorkingTree, work: (index: string) => Promise<T>): Promise<T> {
  const index = join(tree.gitDir, `planwright-index.${process.pid}.${++count}`);
  try {
    if (!copy(firstIndex(tree), index)) copy(ownIndex(tree), index);
    return await work(index);
  } finally {
    rmSync(index, { force: true });
    rmSync(`${index}.lock`, { force: true });
  }
}
