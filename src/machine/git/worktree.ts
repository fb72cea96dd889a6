// Linked worktrees: add, list and remove them, and put them onto a commit.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, messageOf } from "../../base/errors.js";
import { isInside } from "../../base/paths.js";
import { inRepository } from "./allowed-settings.js";
import { type Done, done, git, gitDone, notDone, problemOf, splitList, succeeded } from "./git.js";
import type { GitResult } from "./pipes.js";
import { shortName } from "./refs.js";
import { administration, administrations, findRepository, isCommit, readLine } from "./repository.js";
import { changedSubmodules } from "./submodules.js";
import {
  forgetRepository,
  mendLink,
  noteRepository,
  ownName,
  rememberIndex,
  removeNested,
  requireWorkingTree,
  restoreIndex,
  setHead,
  type WorkingTree,
  workingTreeAt,
} from "./working-tree.js";

/** Git looks at all worktrees when it adds or lists them, and fails if another is just being added. */
const HALF_MADE = /failed to read .*commondir/;
const TRIES = 5;
/** One that is half made for so long was left by a git that was killed. Every git that looks at worktrees would fail for ever. */
const STALE_MS = 10_000;

async function worktreeGit(cwd: string, ...args: readonly string[]): Promise<GitResult> {
  const look = (): Promise<GitResult> => git(cwd, ["worktree", ...args]);
  let result = await look();
  for (let tried = 1; !succeeded(result) && HALF_MADE.test(result.output) && tried < TRIES; tried++) {
    for (const admin of administrations(findRepository(cwd))) {
      const found = statSync(join(admin, "commondir"), { throwIfNoEntry: false });
      if (found?.size === 0 && Date.now() - found.mtimeMs > STALE_MS) rmSync(admin, { recursive: true, force: true });
    }
    result = await look();
  }
  return result;
}

/** Adds one without a branch. One that git knows but that is gone is made again. */
export async function addWorktree(cwd: string, path: string, commit: string): Promise<Done> {
  const made = tryToMake(cwd, path, commit);
  if (made !== undefined && (await gitDone(path, FILL, { gitDir: made })).ok) {
    noteRepository(cwd, path);
    rememberIndexOf(path);
    return done;
  }
  // What was made of it must not be in the way.
  if (made !== undefined) for (const each of [path, made]) rmSync(each, { recursive: true, force: true });
  const added = await worktreeGit(cwd, "add", "--quiet", "-f", "--detach", "--", path, commit);
  if (!succeeded(added)) return notDone(problemOf(added));
  const gitDir = administration(findRepository(cwd) ?? { commonDir: "" }, path);
  if (gitDir !== undefined) mendLink({ path, gitDir });
  noteRepository(cwd, path);
  rememberIndexOf(path);
  return done;
}

/** As `git worktree add` does it. */
const FILL = ["reset", "--hard", "--no-recurse-submodules", "--quiet"];

/** Where git would do more than we do: refs in another form, and worktrees with settings or files of their own. */
const SPECIAL = ["reftable", "config.worktree", "info/sparse-checkout"];

/** Git changes other names, so that they can be part of a ref's. */
const PLAIN_NAME = /^[\w-]+$/;

/**
 * Makes a linked worktree without files, and returns its git folder: `git worktree add` starts two more gits, and every check that
 * counts has a worktree of its own. Undefined where git has to do it.
 */
function makeWorktree(cwd: string, path: string, commit: string): string | undefined {
  const repository = findRepository(cwd);
  if (!repository || !isCommit(commit)) return undefined;
  const { commonDir } = repository;
  if (existsSync(path) || SPECIAL.some((name) => existsSync(join(commonDir, name)))) return undefined;
  if (!PLAIN_NAME.test(basename(path)) || administration(repository, path) !== undefined) return undefined;
  const draft = ownName(join(commonDir, "planwright-worktree"));
  try {
    mkdirSync(draft);
    writeFileSync(join(draft, "commondir"), "../..\n");
    writeFileSync(join(draft, "HEAD"), `${commit}\n`);
    writeFileSync(join(draft, "gitdir"), `${join(path, ".git")}\n`);
    const gitDir = takeName(join(commonDir, "worktrees"), basename(path));
    if (gitDir === undefined) return undefined;
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, ".git"), `gitdir: ${gitDir}\n`);
    // In one step: other gits look at all worktrees at any time.
    renameSync(draft, gitDir);
    return gitDir;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A full disk is reported by git. */
function tryToMake(cwd: string, path: string, commit: string): string | undefined {
  try {
    return makeWorktree(cwd, path, commit);
  } catch {
    return undefined;
  }
}

const NAMES_TRIED = 100;

/** An empty folder under a name that no other worktree has, as git does it: `slot-1`, `slot-11`, `slot-12`. */
function takeName(folder: string, name: string): string | undefined {
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < NAMES_TRIED; i++) {
    const gitDir = join(folder, i === 0 ? name : `${name}${i}`);
    try {
      mkdirSync(gitDir);
      return gitDir;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
  return undefined;
}

/** The main one first. `branch`: the full name of the one that is checked out in it. */
export async function listWorktrees(cwd: string) {
  const listed = await worktreeGit(cwd, "list", "--porcelain", "-z");
  // A failure must not pass for none: branches that users have checked out would move.
  if (!succeeded(listed)) throw new Error(`git cannot list the worktrees of ${cwd}: ${problemOf(listed)}`);
  const { top = "", gitDir = "", commonDir = "" } = findRepository(cwd) ?? {};
  /** Of a repository whose git folder lies elsewhere, git names that folder instead of the checkout. */
  const checkoutOf = (path: string): string => (path === commonDir && gitDir === commonDir ? top : path);
  const blocks = listed.stdout.split("\0\0").filter((block) => block !== "");
  return blocks.map((block) => {
    const lines = block.split("\0");
    const value = (name: string): string | null =>
      lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
    const path = checkoutOf(inRepository(value("worktree") ?? "", commonDir));
    return { path, head: value("HEAD"), branch: value("branch") };
  });
}

/** Removes whatever is left of it: the folder, what the repository knows of it, or both. */
export async function removeWorktree(cwd: string, path: string): Promise<Done> {
  return forgetWorktree(cwd, path, (isKnown) => {
    if (!isKnown && existsSync(join(path, ".git", "HEAD"))) throw new Error(`${path} is a repository of its own.`);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  });
}

/** Moves it elsewhere, at once whatever its size. The repository forgets it, and the folder can be removed later. */
export const setWorktreeAside = (cwd: string, path: string, to: string): Done =>
  forgetWorktree(cwd, path, () => renameSync(path, to));

function forgetWorktree(cwd: string, path: string, takeAway: (isKnown: boolean) => void): Done {
  const repository = findRepository(cwd);
  if (!repository) return notDone(`${cwd} is not in a git repository.`);
  const gitDir = administration(repository, path);
  try {
    takeAway(gitDir !== undefined);
    if (gitDir !== undefined) rmSync(gitDir, { recursive: true, force: true });
    forgetRepository(path);
    return done;
  } catch (error) {
    return notDone(messageOf(error));
  }
}

/** Forgets worktrees below a folder that are gone. Those elsewhere may be on a disk that is not mounted. */
export async function pruneWorktrees(cwd: string, folder: string): Promise<void> {
  for (const admin of administrations(findRepository(cwd))) {
    const path = readLine(join(admin, "gitdir"));
    const gone = path !== undefined && isInside(path, folder) && !existsSync(dirname(path));
    // A git that had outlived its program wrote on when its worktree was removed. One that is just being made has no HEAD yet.
    const stray = path === undefined && existsSync(join(admin, "HEAD"));
    if (gone || stray) rmSync(admin, { recursive: true, force: true });
  }
}

export interface Reset {
  /** A new branch to check out, by its full name. Without it, none is. */
  readonly branch?: string;
  /** Paths that stay although they are not in the commit. */
  readonly keep: readonly string[];
}

/** Files that merges, rebases and killed programs leave behind. */
const LEFTOVERS =
  `index.lock HEAD.lock MERGE_HEAD MERGE_MSG MERGE_MODE AUTO_MERGE SQUASH_MSG CHERRY_PICK_HEAD REVERT_HEAD
  REBASE_HEAD ORIG_HEAD BISECT_LOG BISECT_START rebase-merge rebase-apply sequencer`.split(/\s+/);

/** A pattern that matches only this path. */
const pattern = (path: string): string => `/${path.replaceAll(/[\\*?[\]!#\s]/g, String.raw`\$&`).replace(/\/+$/, "")}`;

/** Makes a worktree exactly that commit, with nothing else in it but what `keep` names. */
export async function resetWorktree(path: string, commit: string, reset: Reset): Promise<Done> {
  const tree = workingTreeAt(path);
  if (!tree || tree.gitDir === tree.commonDir) return notDone(`${path} is not a worktree.`);
  try {
    return await makeExact(tree, commit, reset);
  } catch (error) {
    return notDone(messageOf(error));
  }
}

async function makeExact(tree: WorkingTree, commit: string, { branch, keep }: Reset): Promise<Done> {
  const { path, gitDir } = tree;
  await clearState(tree, commit);
  const cleaned = await gitDone(path, ["clean", "-ffdxq", ...keep.flatMap((each) => ["-e", pattern(each)])], {
    gitDir,
  });
  if (!cleaned.ok) return cleaned;
  removeNested(tree, keep);
  const where = branch === undefined ? ["--detach"] : ["--no-track", "-b", shortName(branch)];
  const checkedOut = await gitDone(path, ["checkout", "--quiet", "-f", ...where, commit, "--"], { gitDir });
  if (checkedOut.ok) rememberIndex(tree);
  return checkedOut;
}

/** Starts without a branch, so that none moves with what follows. */
async function clearState(tree: WorkingTree, commit: string): Promise<void> {
  mendLink(tree);
  const there = new Set(readdirSync(tree.gitDir));
  for (const name of LEFTOVERS.filter((each) => there.has(each))) {
    rmSync(join(tree.gitDir, name), { recursive: true, force: true });
  }
  setHead(tree, commit);
  restoreIndex(tree);
}

/** Makes the files those of a commit again. What checks left behind goes; ignored files and the branch stay. */
export async function restoreFiles(path: string, commit: string): Promise<Done> {
  const tree = workingTreeAt(path);
  if (!tree) return notDone(`${path} is not a worktree.`);
  // Named explicitly, so that git never works on the repository around it, even if its `.git` is gone.
  const { gitDir } = tree;
  // First let git see which files are unchanged, so that it does not write them again: agents watch modification times.
  await git(path, ["read-tree", "--reset", "--end-of-options", commit], { gitDir });
  await git(path, ["update-index", "-q", "--refresh"], { gitDir });
  const reset = await gitDone(path, ["read-tree", "--reset", "-u", "--end-of-options", commit], { gitDir });
  return reset.ok ? gitDone(path, ["clean", "-ffdq"], { gitDir }) : reset;
}

/** Which files differ from a commit: changed, deleted or new, but not ignored. Undefined if it is no worktree any more. */
export async function changedInWorktree(path: string, commit: string): Promise<string[] | undefined> {
  const tree = workingTreeAt(path);
  if (!tree || tree.gitDir === tree.commonDir) return undefined;
  const { gitDir } = tree;
  const inside = await changedSubmodules(path, commit).catch(() => undefined);
  // One look instead of two, where it finds nothing.
  if (inside?.length === 0 && (await isAsCommitted(tree, commit))) return [];
  const changed = await git(path, ["diff", "--name-only", "--no-renames", "-z", commit, "--"], { gitDir });
  const others = await git(path, ["ls-files", "--others", "--exclude-standard", "-z"], { gitDir });
  if (!succeeded(changed) || !succeeded(others) || inside === undefined) return undefined;
  return [...new Set([...splitList(changed.stdout), ...splitList(others.stdout), ...inside])].sort();
}

const STATUS = ["status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--untracked-files=normal"];

/**
 * Whether one look by git finds nothing that is not in the commit, by the index that is given or the worktree's own. It does not
 * look into submodules.
 */
export async function isAsCommitted({ path, gitDir }: WorkingTree, commit: string, index?: string): Promise<boolean> {
  const { exitCode, stdout } = await git(path, STATUS, { gitDir, ...(index !== undefined && { index }) });
  // Lines with a number sign tell about the branch. Another commit may have been checked out in between.
  const [about = "", ...others] = splitList(stdout);
  return exitCode === 0 && about === `# branch.oid ${commit}` && others.every((line) => line.startsWith("# "));
}

/** Later, changes are looked for from here on. */
function rememberIndexOf(worktree: string): void {
  const tree = workingTreeAt(worktree);
  if (tree) rememberIndex(tree);
}

/** Puts HEAD and index onto a commit without a branch. The files stay as they are. */
export async function settleOn(worktree: string, commit: string): Promise<Done> {
  const { gitDir } = requireWorkingTree(worktree);
  const moved = await gitDone(worktree, ["update-ref", "--no-deref", "HEAD", commit], { gitDir });
  const settled = moved.ok ? await gitDone(worktree, ["reset", "--quiet", "--mixed"], { gitDir }) : moved;
  if (settled.ok) rememberIndexOf(worktree);
  return settled;
}
