// Linked worktrees: made, found, taken away, and made to be exactly one commit again.

import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type GitOptions, git, problemOf, succeeded } from "./git.js";
import { type Done, done, shortName } from "./refs.js";
import { findRepository, readLine } from "./repository.js";
import {
  administration,
  mendLink,
  rememberIndex,
  removeNested,
  restoreIndex,
  setHead,
  type WorkingTree,
  workingTreeAt,
} from "./working-tree.js";

export interface Worktree {
  readonly path: string;
  readonly head: string | null;
  /** The full name of the branch that is checked out in it. */
  readonly branch: string | null;
}

const wrong = (problem: string): Done => ({ problem });

const run = async (cwd: string, args: readonly string[], options: GitOptions = {}): Promise<Done> => {
  const result = await git(cwd, args, options);
  return succeeded(result) ? done : wrong(problemOf(result));
};

/** Git looks at all worktrees when it makes one, and stumbles over another that is just being made. */
const HALF_MADE = /failed to read .*commondir/;
const TRIES = 5;

/** With no branch of its own. One that is registered but gone is made again. */
export async function addWorktree(cwd: string, path: string, commit: string): Promise<Done> {
  const add = (): Promise<Done> => run(cwd, ["worktree", "add", "--quiet", "-f", "--detach", "--", path, commit]);
  let added = await add();
  for (let tried = 1; !added.ok && HALF_MADE.test(added.problem) && tried < TRIES; tried++) added = await add();
  const tree = added.ok ? workingTreeAt(path) : undefined;
  if (tree) rememberIndex(tree);
  return added;
}

/** The main one first. */
export async function listWorktrees(cwd: string): Promise<Worktree[]> {
  const result = await git(cwd, ["worktree", "list", "--porcelain", "-z"]);
  // What git could not list must not be taken for nothing: branches would move under people's feet.
  if (!succeeded(result)) throw new Error(`the worktrees of ${cwd} could not be listed: ${problemOf(result)}`);
  const blocks = result.stdout.split("\0\0").filter((block) => block !== "");
  return blocks.map((block) => {
    const lines = block.split("\0");
    const value = (name: string): string | null =>
      lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
    return { path: value("worktree") ?? "", head: value("HEAD"), branch: value("branch") };
  });
}

/** Whatever is left of it: the folder, what the repository knows of it, or both. */
export async function removeWorktree(cwd: string, path: string): Promise<Done> {
  const repository = findRepository(cwd);
  if (!repository) return wrong(`${cwd} is in no repository.`);
  const gitDir = administration(repository, path);
  if (gitDir === undefined && existsSync(join(path, ".git", "HEAD")))
    return wrong(`${path} is a repository of its own.`);
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    if (gitDir !== undefined) rmSync(gitDir, { recursive: true, force: true });
    return done;
  } catch (error) {
    return wrong((error as Error).message);
  }
}

/** Moves it out of the way at once, whatever its size: the repository forgets it, and its folder can be removed later. */
export function setWorktreeAside(cwd: string, path: string, to: string): Done {
  const repository = findRepository(cwd);
  if (!repository) return wrong(`${cwd} is in no repository.`);
  const gitDir = administration(repository, path);
  try {
    renameSync(path, to);
    if (gitDir !== undefined) rmSync(gitDir, { recursive: true, force: true });
    return done;
  } catch (error) {
    return wrong((error as Error).message);
  }
}

/** Forgets those below a folder that are gone. Worktrees elsewhere may be on a disk that is not there today. */
export async function pruneWorktrees(cwd: string, folder: string): Promise<void> {
  const repository = findRepository(cwd);
  const known = repository && join(repository.commonDir, "worktrees");
  if (known === undefined || !existsSync(known)) return;
  for (const name of readdirSync(known)) {
    const path = readLine(join(known, name, "gitdir"));
    const gone = path !== undefined && !relative(folder, path).startsWith("..") && !existsSync(dirname(path));
    if (gone) rmSync(join(known, name), { recursive: true, force: true });
  }
}

export interface Reset {
  /** A new branch to be on, by its full name; otherwise on none. */
  readonly branch?: string;
  /** Paths that stay although they are not of the commit. */
  readonly keep: readonly string[];
}

/** What merges, rebases and killed programs leave behind. */
const LEFTOVERS = [
  "index.lock",
  "HEAD.lock",
  "MERGE_HEAD",
  "MERGE_MSG",
  "MERGE_MODE",
  "AUTO_MERGE",
  "SQUASH_MSG",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "REBASE_HEAD",
  "ORIG_HEAD",
  "BISECT_LOG",
  "BISECT_START",
  "rebase-merge",
  "rebase-apply",
  "sequencer",
];

/** A path as a pattern that matches only itself. */
const pattern = (path: string): string => `/${path.replaceAll(/[\\*?[\]!#\s]/g, String.raw`\$&`).replace(/\/+$/, "")}`;

/** Makes a worktree exactly that commit again, with nothing else in it but what is to be kept. */
export async function resetWorktree(path: string, commit: string, reset: Reset): Promise<Done> {
  const tree = workingTreeAt(path);
  if (!tree || tree.gitDir === tree.commonDir) return wrong(`${path} is not a worktree any more.`);
  try {
    return await makeExact(tree, commit, reset);
  } catch (error) {
    return wrong((error as Error).message);
  }
}

async function makeExact(tree: WorkingTree, commit: string, { branch, keep }: Reset): Promise<Done> {
  const { path, gitDir } = tree;
  await clearState(tree, commit);
  const cleaned = await run(path, ["clean", "-ffdxq", ...keep.flatMap((each) => ["-e", pattern(each)])], { gitDir });
  if (!cleaned.ok) return cleaned;
  removeNested(tree, keep);
  const where = branch === undefined ? ["--detach"] : ["--no-track", "-b", shortName(branch)];
  const checkedOut = await run(path, ["checkout", "--quiet", "-f", ...where, commit, "--"], { gitDir });
  if (checkedOut.ok) rememberIndex(tree);
  return checkedOut;
}

/** No branch may move with what follows, so it begins on none. */
async function clearState(tree: WorkingTree, commit: string): Promise<void> {
  mendLink(tree);
  const there = new Set(readdirSync(tree.gitDir));
  for (const name of LEFTOVERS.filter((each) => there.has(each))) {
    rmSync(join(tree.gitDir, name), { recursive: true, force: true });
  }
  setHead(tree, commit);
  restoreIndex(tree);
}
