// Finds a repository and what it has checked out, from its files: starting `git` takes longer than most commands.

import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { namesInFolder } from "../../base/paths.js";
import { findPlainFile } from "../../base/plain-file.js";

export interface Repository {
  /** The top of the working tree that `from` is in. */
  readonly top: string;
  /** The top of the main working tree: the same for every linked worktree. */
  readonly main: string;
  /** Holds HEAD of this working tree. */
  readonly gitDir: string;
  /** Holds refs, shared by all worktrees. */
  readonly commonDir: string;
}

export const readLine = (path: string): string | undefined => findPlainFile(path)?.trim();

const from = (base: string, path: string): string => (isAbsolute(path) ? path : resolve(base, path));

/** The repository that contains a folder. */
export function findRepository(folder: string): Repository | undefined {
  for (let top = resolve(folder); ; top = dirname(top)) {
    const repository = repositoryAt(top);
    if (repository) return repository;
    if (dirname(top) === top) return undefined;
  }
}

/** The repository whose working tree has its top here. */
export function repositoryAt(top: string): Repository | undefined {
  // `existsSync` and no `join`, because this runs in every command: it saves 0.3 ms.
  const dotGit = `${top}${sep}.git`;
  if (!existsSync(dotGit)) return isBare(top) ? { top, main: top, gitDir: top, commonDir: top } : undefined;
  if (existsSync(`${dotGit}${sep}HEAD`)) return lent(top) ?? { top, main: top, gitDir: dotGit, commonDir: dotGit };
  const link = /^gitdir: (.+)$/m.exec(readLine(dotGit) ?? "")?.[1];
  if (link === undefined) return undefined;
  const gitDir = from(top, link);
  const common = readLine(join(gitDir, "commondir"));
  // A submodule or a separate git directory also has a `.git` file, but is its own main working tree.
  if (common === undefined) return { top, main: top, gitDir, commonDir: gitDir };
  const commonDir = from(gitDir, common);
  return { top, main: mainTree(commonDir), gitDir, commonDir };
}

// A worktree that was lent to a worker has a git folder of the worker's own inside. Ours, which says what it is a worktree of, is
// found from outside.

/** Names the repository of a worktree. It stands beside the worktree, out of a confined worker's reach. */
export const noteOf = (path: string): string => `${path}.repository`;

function lent(top: string): Repository | undefined {
  const commonDir = readLine(noteOf(top));
  const gitDir = commonDir === undefined ? undefined : administration({ commonDir }, top);
  return commonDir === undefined || gitDir === undefined
    ? undefined
    : { top, main: mainTree(commonDir), gitDir, commonDir };
}

const real = (path: string): string => {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
};

export const pointsBack = (gitDir: string, path: string): boolean => {
  const back = readLine(join(gitDir, "gitdir"));
  return back !== undefined && real(dirname(back)) === real(path);
};

/** What a repository keeps about each of its linked worktrees. */
export const administrations = (repository: Pick<Repository, "commonDir"> | undefined): string[] => {
  const folder = join(repository?.commonDir ?? "", "worktrees");
  return repository === undefined ? [] : namesInFolder(folder).map((name) => join(folder, name));
};

/**
 * The one for a path, even if the worktree itself is broken or gone. Mostly one has exactly this path; to look where the paths of all
 * others lead takes 20 calls of the system each time.
 */
export function administration(repository: Pick<Repository, "commonDir">, path: string): string | undefined {
  const all = administrations(repository);
  const link = join(path, ".git");
  return (
    all.find((gitDir) => readLine(join(gitDir, "gitdir")) === link) ?? all.find((gitDir) => pointsBack(gitDir, path))
  );
}

/** A bare repository by its usual name: the plan of its linked worktrees lies inside of it. */
const isBare = (folder: string): boolean =>
  folder.endsWith(".git") && existsSync(`${folder}${sep}HEAD`) && existsSync(`${folder}${sep}objects`);

/** A bare repository in a hidden folder, which git finds from this folder only if a `.git` file points to it. */
export function hiddenBare(folder: string): string | undefined {
  const bare = `${folder}${sep}.bare`;
  return existsSync(`${bare}${sep}HEAD`) && !existsSync(`${folder}${sep}.git`) ? bare : undefined;
}

/** The folder of `.git` or of a hidden `.bare`. A bare `repo.git` stands for itself: beside it lie other repositories. */
function mainTree(commonDir: string): string {
  if (basename(commonDir) === ".git") return dirname(commonDir);
  const worktree = /^\s*worktree\s*=\s*(.+)$/m.exec(readLine(join(commonDir, "config")) ?? "")?.[1];
  if (worktree !== undefined) return from(commonDir, worktree.trim());
  return basename(commonDir).startsWith(".") ? dirname(commonDir) : commonDir;
}

const SHA = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

export const isCommit = (text: string): boolean => SHA.test(text);

/** The checked-out commit. Null before the first one. */
export const headCommit = (repository: Repository): string | null =>
  follow(repository, readLine(join(repository.gitDir, "HEAD")));

/** The commit of a full name such as `refs/heads/main`. Null if there is no such ref. */
export const resolveRef = (repository: Repository, ref: string): string | null =>
  follow(repository, readRef(repository, ref));

/** The checked-out branch, even before its first commit. Null if none is. */
export const headBranch = ({ gitDir }: Repository): string | null =>
  /^ref: (.+)$/.exec(readLine(join(gitDir, "HEAD")) ?? "")?.[1] ?? null;

/** The commit that the text of a ref leads to, over other refs if need be. */
export function followRef(start: string | undefined, read: (ref: string) => string | undefined): string | null {
  let value = start;
  for (let hops = 0; value !== undefined && hops < 5; hops++) {
    if (isCommit(value)) return value;
    value = read(/^ref: (.+)$/.exec(value)?.[1] ?? "");
  }
  return null;
}

const follow = (repository: Repository, start: string | undefined): string | null =>
  followRef(start, (ref) => (ref === "" ? undefined : readRef(repository, ref)));

/** A loose ref wins over a packed one. */
const readRef = ({ commonDir }: Repository, ref: string): string | undefined =>
  readLine(join(commonDir, ref)) ?? packedRef(commonDir, ref);

function packedRef(commonDir: string, ref: string): string | undefined {
  const packed = readLine(join(commonDir, "packed-refs")) ?? "";
  const line = packed.split("\n").find((l) => l.endsWith(` ${ref}`));
  return line?.split(" ")[0];
}

/** Keeps what is remembered about repositories within bounds. */
export function forgetOldest(known: Map<string, unknown>, most: number): void {
  for (const key of known.keys()) {
    if (known.size <= most) return;
    known.delete(key);
  }
}

// Where the objects of a repository are: in its own folder, and in those that it borrows from, which may borrow in turn.

/** Git itself looks no deeper. */
const DEEPEST = 5;

/** As git writes a path with characters that are not plain. */
function unquoted(line: string): string {
  if (!line.startsWith('"')) return line;
  try {
    return JSON.parse(line) as string;
  } catch {
    return line;
  }
}

export const alternatesText = (folders: readonly string[]): string =>
  folders.map((folder) => `${/["\\\n]/.test(folder) ? JSON.stringify(folder) : folder}\n`).join("");

/** All folders of objects that a repository reads, its own first. A relative path starts from the folder that names it. */
export function objectFolders(commonDir: string): string[] {
  const found = new Set<string>();
  const look = (objects: string, depth: number): void => {
    if (found.has(objects)) return;
    found.add(objects);
    if (depth === DEEPEST) return;
    const lines = (readLine(join(objects, "info", "alternates")) ?? "").split("\n");
    for (const line of lines)
      if (line !== "" && !line.startsWith("#")) look(resolve(objects, unquoted(line)), depth + 1);
  };
  look(join(commonDir, "objects"), 0);
  return [...found];
}
