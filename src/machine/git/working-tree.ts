// Finds the repository of a working tree by its folder, even if a worker deleted or replaced its `.git`. Git alone would
// find the repository around it and work on that instead.

import {
  copyFileSync,
  linkSync,
  lstatSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../../base/paths.js";
import { type GitOptions, git } from "./git.js";
import type { GitResult } from "./pipes.js";
import {
  administration,
  findRepository,
  noteOf,
  pointsBack,
  type Repository,
  readLine,
  repositoryAt,
} from "./repository.js";

export interface WorkingTree {
  readonly path: string;
  /** Holds its own HEAD and index. */
  readonly gitDir: string;
  readonly commonDir: string;
}

export function noteRepository(cwd: string, path: string): void {
  const commonDir = findRepository(cwd)?.commonDir;
  if (commonDir === undefined || findRepository(dirname(path))?.commonDir === commonDir) return;
  writeFileSync(noteOf(path), `${commonDir}\n`);
}

export const forgetRepository = (path: string): void => rmSync(noteOf(path), { force: true });

export function workingTreeAt(path: string): WorkingTree | undefined {
  // What stands outside of the worktree comes first: a worker can make its own `.git` point at a repository of its own.
  for (const commonDir of [readLine(noteOf(path)), findRepository(dirname(path))?.commonDir]) {
    const gitDir = commonDir && administration({ commonDir }, path);
    if (commonDir && gitDir) return { path, gitDir, commonDir };
  }
  const here = repositoryAt(path);
  if (here === undefined) return undefined;
  const linked = here.gitDir !== here.commonDir;
  return linked && !pointsBack(here.gitDir, path)
    ? undefined
    : { path, gitDir: here.gitDir, commonDir: here.commonDir };
}

export function requireWorkingTree(path: string): WorkingTree {
  const tree = workingTreeAt(path);
  if (!tree) throw new Error(`${path} is not a worktree.`);
  return tree;
}

let count = 0;

/** A unique name, in this program and others: two may be at the same tree at once. */
export const ownName = (path: string): string => `${path}.${process.pid}.${++count}`;

/** Replaces HEAD in one step: without a HEAD, git does not take the folder for a worktree. */
export function setHead({ gitDir }: WorkingTree, commit: string): void {
  const draft = `${ownName(join(gitDir, "HEAD"))}.new`;
  writeFileSync(draft, `${commit}\n`);
  renameSync(draft, join(gitDir, "HEAD"));
}

/** Repairs a HEAD that a killed program or a full disk left empty. */
export function mendHead(tree: WorkingTree, commit: string): void {
  if (!/^(ref: .+|[0-9a-f]{40,64})$/.test(readLine(join(tree.gitDir, "HEAD")) ?? "")) setHead(tree, commit);
}

/** Repairs the `.git` file of a linked worktree. */
export function mendLink({ path, gitDir }: Pick<WorkingTree, "path" | "gitDir">): void {
  const file = join(path, ".git");
  const text = `gitdir: ${gitDir}`;
  if (statSync(file, { throwIfNoEntry: false })?.isFile() && readLine(file) === text) return;
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, `${text}\n`);
}

/**
 * A copy of the index from when the worktree was last put onto a commit. It has the files' times, so looking for changes is
 * quick, and none of the flags that a worker could set to hide a change from git.
 */
const firstIndex = ({ gitDir }: WorkingTree): string => join(gitDir, "planwright-index");
const ownIndex = ({ gitDir }: WorkingTree): string => join(gitDir, "index");

/**
 * Copies all of it or nothing, even if the program is killed or the disk is full. The calls are synchronous, because each is
 * so short that waiting for it takes several times as long.
 */
export function copyIndex(from: string, to: string): boolean {
  const draft = `${ownName(to)}.new`;
  try {
    const { atime, mtimeMs } = plainStat(from);
    copyFileSync(from, draft);
    // Git trusts what it knows of a file only if the index is younger than the file, so a copy is as old as the original.
    utimesSync(draft, atime, new Date(Math.floor(mtimeMs)));
    renameSync(draft, to);
    return true;
  } catch {
    rmSync(draft, { force: true });
    rmSync(to, { force: true });
    return false;
  }
}

/** Copying a pipe would wait until a program writes into it. */
function plainStat(path: string): Stats {
  const found = statSync(path);
  if (!found.isFile()) throw new Error(`${path} is not a file`);
  return found;
}

export const rememberIndex = (tree: WorkingTree): boolean => copyIndex(ownIndex(tree), firstIndex(tree));

/** Without an index, git starts with an empty one. */
export const restoreIndex = (tree: WorkingTree): boolean => copyIndex(firstIndex(tree), ownIndex(tree));

/** Removes nested repositories, except those that git itself made for submodules. */
export function removeNested(tree: WorkingTree, keep: readonly string[]): void {
  const { path } = tree;
  const kept = new Set(keep.map((each) => resolve(path, each)));
  const look = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const here = join(folder, entry.name);
      if (entry.name === ".git") {
        const isOwn = folder === path || ownModule(tree, folder) !== undefined;
        if (!isOwn) rmSync(here, { recursive: true, force: true });
      } else if (entry.isDirectory() && !kept.has(here)) look(here);
    }
  };
  look(path);
}

/** A hard link is as good as a copy: git never writes into an index, it replaces the file. */
function borrow(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/** Gives `work` an index of its own. */
export async function withIndex<T>(tree: WorkingTree, work: (index: string) => Promise<T>): Promise<T> {
  const index = ownName(firstIndex(tree));
  try {
    if (!borrow(firstIndex(tree), index) && !copyIndex(firstIndex(tree), index)) copyIndex(ownIndex(tree), index);
    return await work(index);
  } finally {
    rmSync(index, { force: true });
    rmSync(`${index}.lock`, { force: true });
  }
}

// The git folder of a submodule. Git keeps it inside of the repository around it, where no confined worker can write, and leaves a
// file `.git` in the working tree that points there. A worker can replace that file, so what it says is held against where git
// keeps such folders.

type GitFolder = Pick<Repository, "gitDir" | "commonDir">;

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The folder inside the repository that `folder/.git` points to. Undefined if there is none, or if it is anywhere else. */
export function ownModule({ gitDir, commonDir }: GitFolder, folder: string): string | undefined {
  const link = join(folder, ".git");
  if (!lstatSync(link, { throwIfNoEntry: false })?.isFile()) return undefined;
  const target = /^gitdir: (.+)$/.exec(readLine(link) ?? "")?.[1];
  const module = target === undefined ? undefined : realPath(resolve(folder, target));
  const isOurs = [gitDir, commonDir].some((each) => {
    const modules = realPath(join(each, "modules"));
    return modules !== undefined && module !== undefined && module !== modules && isInside(module, modules);
  });
  return isOurs ? module : undefined;
}

/** Whether it and everything above it, up to the top, is a folder and no link to one. */
export function isPlainFolder(top: string, path: string): boolean {
  const steps = path.split("/");
  if (steps.some((step) => step === "" || step === "." || step === ".." || step.toLowerCase() === ".git")) return false;
  return steps.every((_, i) =>
    lstatSync(join(top, ...steps.slice(0, i + 1)), { throwIfNoEntry: false })?.isDirectory(),
  );
}

// Files that a worker can leave to make our own git wait for ever: pipes where git reads settings. We look before git does.

/** Git over files that a worker made. `onPipes` does something about pipes that it waits for; then it starts again. */
export async function gitOverFiles(
  tree: WorkingTree,
  args: readonly string[],
  options: GitOptions,
  onPipes: (paths: readonly string[]) => void,
): Promise<GitResult> {
  const all = { gitDir: tree.gitDir, ...options };
  const result = await git(tree.path, args, all);
  if (result.pipes === undefined) return result;
  onPipes(result.pipes);
  return git(tree.path, args, all);
}
