// A branch that moves while people have it checked out: their files, their index and the branch go together. The index
// is locked meanwhile, so no commit can come in between; what a killed program leaves can be finished or taken back.

import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Entry, entriesBetween, parseRaw, RAW } from "../change-set.js";
import { statOf } from "../files.js";
import { type Done, type GitOptions, git, gitDone, gitOutput, linesOf, splitList } from "../git.js";
import { findRepository, readLine } from "../repository.js";
import { changedSubmodules } from "../submodules.js";
import { copyIndex, requireWorkingTree, type WorkingTree, workingTreeAt } from "../working-tree.js";
import { listWorktrees } from "../worktree.js";
import { type Advance, forgetHalfMove, isLockedBy, isNoted, lock, note, unlock } from "./half-move.js";

/** The folders where a branch is checked out, by its full name, or is just being rebased: then git itself names no branch. */
export async function checkoutsOf(cwd: string, ref: string): Promise<string[]> {
  const isHere = ({ branch, path }: { branch: string | null; path: string }): boolean =>
    branch === ref || (branch === null && isRebasing(path, ref));
  return (await listWorktrees(cwd)).filter(isHere).map(({ path }) => path);
}

/** The same by what the files of the repository say, without a git: a checkout that is in the middle of a rebase is not found. */
export function isCheckedOut(cwd: string, ref: string): boolean {
  const repository = findRepository(cwd);
  if (repository === undefined) return false;
  const { commonDir } = repository;
  const linked = join(commonDir, "worktrees");
  const gitDirs = [commonDir, ...(existsSync(linked) ? readdirSync(linked).map((name) => join(linked, name)) : [])];
  return gitDirs.some((gitDir) => readLine(join(gitDir, "HEAD")) === `ref: ${ref}`);
}

function isRebasing(path: string, ref: string): boolean {
  const gitDir = workingTreeAt(path)?.gitDir;
  return (
    gitDir !== undefined &&
    ["rebase-merge", "rebase-apply"].some((name) => readLine(join(gitDir, name, "head-name")) === ref)
  );
}

const UNFINISHED: Readonly<Record<string, string>> = {
  MERGE_HEAD: "a merge",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase",
};

/** These are people's checkouts: their filters decide what is in the files. */
const OWN = { drivers: true } as const;

const ask = (path: string, args: readonly string[], options: GitOptions = {}): Promise<string> =>
  gitOutput(path, ["--no-optional-locks", ...args], `git ${args[0]} failed in ${path}`, { ...OWN, ...options });

/** What prevents moving a checkout from `from` to `to`. */
export async function obstacles(path: string, from: string, to: string) {
  const { gitDir } = requireWorkingTree(path);
  const begun = Object.keys(UNFINISHED).find((name) => existsSync(join(gitDir, name)));
  const status = await ask(path, ["status", "--porcelain", "-z", "--untracked-files=no", "--no-renames"]);
  const entries = await entriesBetween(path, from, to);
  const dirty = [...splitList(status).map((line) => line.slice(3)), ...(await changedSubmodules(path))];
  const lying = await inTheWay(path, entries);
  const isAny = dirty.length > 0 || lying.length > 0;
  const there = new Set(isAny ? (await alreadyThere(path, entries)).map((entry) => entry.path) : []);
  return {
    /** Tracked files that were changed, or are staged. */
    dirty: dirty.filter((each) => !there.has(each)),
    /** Files that git does not know and that would be overwritten. */
    inTheWay: lying.filter((each) => !there.has(each)),
    /** A merge or rebase that was begun there and not ended. */
    unfinished: begun === undefined ? null : (UNFINISHED[begun] as string),
  };
}

async function inTheWay(path: string, entries: readonly Entry[]): Promise<string[]> {
  const leaving = new Set(entries.filter(({ status }) => status === "D").map((entry) => entry.path));
  const found = new Set<string>();
  const folders: string[] = [];
  for (const added of entries.filter(({ status }) => status === "A")) {
    const there = statOf(join(path, added.path));
    if (there?.isDirectory()) folders.push(added.path);
    else if (there) found.add(added.path);
    for (let above = dirname(added.path); above !== "."; above = dirname(above)) {
      const stat = statOf(join(path, above));
      if (stat && !stat.isDirectory() && !leaving.has(above)) found.add(above);
    }
  }
  if (folders.length > 0) for (const each of splitList(await untrackedIn(path, folders))) found.add(each);
  return [...found].sort();
}

const untrackedIn = (path: string, folders: readonly string[]): Promise<string> =>
  ask(path, ["ls-files", "--others", "-z", "--", ...folders]);

const DRAFT = "planwright-landing-index";

/** One for each process: a paused program that lost its lock must not write into the draft of another. */
const draftOf = ({ gitDir }: WorkingTree): string => join(gitDir, `${DRAFT}.${process.pid}`);
const indexOf = ({ gitDir }: WorkingTree): string => join(gitDir, "index");

/** Also those of killed programs, with the locks on them. */
function removeDrafts({ gitDir }: WorkingTree): void {
  for (const name of readdirSync(gitDir)) if (name.startsWith(DRAFT)) rmSync(join(gitDir, name), { force: true });
}

function draftIndex(tree: WorkingTree): void {
  if (!copyIndex(indexOf(tree), draftOf(tree))) throw new Error(`The index of ${tree.path} could not be copied.`);
}

const atWork = (path: string): string => `Another git program is at work in ${path}.`;

/**
 * Makes a checkout of `from` one of `to`, and moves its branch by `move` once the files are there. If the branch did not
 * move, the files are what they were. The caller has looked for obstacles; what came since is refused by git.
 */
export async function advanceCheckout(advance: Advance, move: () => Promise<Done>): Promise<Done> {
  const { path } = advance;
  const tree = requireWorkingTree(path);
  if (!lock(tree, advance)) return { problem: atWork(path) };
  try {
    if (isNoted(tree))
      return { problem: `${path} is half moved since an earlier landing, and could not be put right.` };
    note(tree, advance);
    return await moveAlong(tree, advance, move);
  } finally {
    rmSync(draftOf(tree), { force: true });
    unlock(tree, advance);
  }
}

async function moveAlong(tree: WorkingTree, advance: Advance, move: () => Promise<Done>): Promise<Done> {
  const { path, from, to } = advance;
  const index = draftOf(tree);
  draftIndex(tree);
  const there = await alreadyThere(path, await entriesBetween(path, from, to));
  const laid = await layOut(path, index, from, to, there);
  let thrown: Error | undefined;
  const moved = !laid.ok
    ? laid
    : await move().catch((error: unknown): Done => {
        thrown = error instanceof Error ? error : new Error(String(error));
        return { problem: thrown.message };
      });
  if (moved.ok) renameSync(index, indexOf(tree));
  // A git that was killed may have laid out half of it, or all of it; and whether the branch moved may be unknown.
  else if (!laid.ok || thrown || !(await layOut(path, index, to, from)).ok) await settlePatiently(tree, advance);
  if (!moved.ok) await bringBack(path, index, to, there);
  if (isLockedBy(tree, advance)) forgetHalfMove(tree);
  if (thrown) throw thrown;
  return moved;
}

/** The files that somebody had changed to what `to` has, after the way back to `from` has changed them. */
async function bringBack(path: string, index: string, to: string, there: readonly Entry[]): Promise<void> {
  for (const { path: name } of there.filter(({ status }) => status === "D")) rmSync(join(path, name), { force: true });
  const files = there.filter(({ status }) => status !== "D").map((entry) => entry.path);
  await restore(path, index, to, files, ["--worktree"]);
}

/** Git may be in trouble for a moment only. If it is for longer, the note stays for the next program. */
async function settlePatiently(tree: WorkingTree, advance: Advance): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await settleLocked(tree, advance);
      return;
    } catch (error) {
      if (tried === TRIES) throw error;
    }
  }
}

const TRIES = 5;

/** `there`: files that are what they will become. Git takes them for its own once they are in its index. */
async function layOut(path: string, index: string, from: string, to: string, there: readonly Entry[] = []) {
  if (there.length > 0) {
    const lines = there.map(({ mode, blob, path: name }) => `${mode} ${blob}\t${name}\0`);
    await ask(path, ["update-index", "-z", "--index-info"], { index, input: lines.join("") });
  }
  // Times may differ where contents do not.
  await git(path, ["update-index", "-q", "--refresh"], { ...OWN, index });
  return gitDone(path, ["read-tree", "-m", "-u", from, to], { ...OWN, index });
}

/**
 * Where making a checkout of `from` one of `to` was broken off: makes it one of the commit that it is of now, which is
 * either, or what people have put on top of it since. Files that were edited stay as they are, and are named.
 * The caller has taken the lock, so that only one program does this at a time. It is released here.
 */
export async function settleCheckout(advance: Advance): Promise<string[]> {
  const tree = requireWorkingTree(advance.path);
  if (!isLockedBy(tree, advance)) throw new Error(atWork(advance.path));
  try {
    return await settleLocked(tree, advance);
  } finally {
    unlock(tree, advance);
  }
}

async function settleLocked(tree: WorkingTree, advance: Advance): Promise<string[]> {
  const { path, from, to } = advance;
  if (!isLockedBy(tree, advance)) throw new Error(atWork(path));
  if (!isNoted(tree)) note(tree, advance);
  removeDrafts(tree);
  const target = (await ask(path, ["rev-parse", "--verify", "--end-of-options", "HEAD^{commit}"])).trim();
  const changed = (await entriesBetween(path, from, to)).map((entry) => entry.path);
  const found = new Map<string, Comparison>();
  for (const commit of new Set([from, to, target])) found.set(commit, await compare(tree, commit, changed));
  const edited = changed.filter((each) => ![...found.values()].some(({ same }) => same.has(each)));
  const { known } = found.get(target) as Comparison;
  // Work on a draft: a killed git would leave a lock on the real index that stops people.
  const index = draftOf(tree);
  if (existsSync(indexOf(tree))) draftIndex(tree);
  await takeAway(path, index, changed, known, new Set(edited), target.length);
  const staying = changed.filter((each) => known.has(each));
  const isEdited = (each: string): boolean => edited.includes(each);
  const untouched = staying.filter((each) => !isEdited(each));
  await restore(path, index, target, untouched, ["--staged", "--worktree"]);
  await restore(path, index, target, staying.filter(isEdited), ["--staged"]);
  if (existsSync(index)) renameSync(index, indexOf(tree));
  forgetHalfMove(tree);
  return edited;
}

/** Files that are not in the target, from the index and, unless they were edited, from the disk. */
async function takeAway(
  path: string,
  index: string,
  changed: readonly string[],
  known: ReadonlySet<string>,
  edited: ReadonlySet<string>,
  width: number,
): Promise<void> {
  const leaving = changed.filter((each) => !known.has(each));
  if (leaving.length === 0) return;
  for (const each of leaving) {
    const stat = statOf(join(path, each));
    if (edited.has(each) || !stat || stat.isDirectory()) continue;
    rmSync(join(path, each), { force: true });
    removeEmpty(path, dirname(each));
  }
  // The mode 0 takes an entry away.
  const lines = leaving.map((each) => `0 ${"0".repeat(width)}\t${each}\0`);
  await ask(path, ["update-index", "-z", "--index-info"], { index, input: lines.join("") });
}

function removeEmpty(path: string, folder: string): void {
  try {
    for (let above = folder; above !== "."; above = dirname(above)) rmdirSync(join(path, above));
  } catch {
    // Something else lies there.
  }
}

async function restore(path: string, index: string, source: string, files: readonly string[], what: readonly string[]) {
  if (files.length === 0) return;
  const args = ["restore", `--source=${source}`, ...what, "--pathspec-from-file=-", "--pathspec-file-nul"];
  await ask(path, args, { index, input: files.join("\0") });
}

type Comparison = Awaited<ReturnType<typeof compare>>;

/** `known`: files that the commit has. `same`: those that lie there as they are in it; what it does not have is not to be there. */
async function compare(tree: WorkingTree, commit: string, files: readonly string[]) {
  const { path } = tree;
  const index = draftOf(tree);
  try {
    await ask(path, ["read-tree", commit], { index });
    const differing = parseRaw(await ask(path, ["diff", ...RAW, commit, "--"], { index }));
    const other = new Set(differing.map((each) => each.path));
    const known = new Set(splitList(await ask(path, ["ls-files", "-z"], { index })));
    const absent = (file: string): boolean => statOf(join(path, file))?.isDirectory() ?? true;
    return { known, same: new Set(files.filter((file) => (known.has(file) ? !other.has(file) : absent(file)))) };
  } finally {
    rmSync(index, { force: true });
  }
}

// Files of a checkout that already are what a commit will make of them. They are there when work was handed in from
// this checkout: they block nothing and stay as they are.

const FILE = "100644";
const PROGRAM = "100755";

/** `entries`: the way from the checked-out commit to the other one. */
async function alreadyThere(path: string, entries: readonly Entry[]): Promise<Entry[]> {
  const same = [...entries.filter((entry) => isGone(path, entry)), ...(await withSameContent(path, entries))];
  if (same.length === 0) return [];
  const args = ["--no-optional-locks", "diff-index", "--cached", ...RAW, "HEAD", "--"];
  const staged = parseRaw(await gitOutput(path, args, `git cannot compare the index of ${path}`));
  const stagedAs = new Map(staged.map((entry) => [entry.path, entry]));
  // Something else that is staged would get lost.
  return same.filter((entry) => {
    const found = stagedAs.get(entry.path);
    return found === undefined || found.blob === entry.blob;
  });
}

const isGone = (path: string, entry: Entry): boolean =>
  entry.status === "D" && statOf(join(path, entry.path)) === undefined;

async function withSameContent(path: string, entries: readonly Entry[]): Promise<Entry[]> {
  const files = entries.filter(({ status, mode, path: name }) => {
    const stat = status === "D" || name.includes("\n") ? undefined : statOf(join(path, name));
    if (!stat?.isFile()) return false;
    return mode === ((stat.mode & 0o100) === 0 ? FILE : PROGRAM);
  });
  if (files.length === 0) return [];
  const input = files.map((entry) => `${entry.path}\n`).join("");
  const hashes = linesOf(await gitOutput(path, ["hash-object", "--stdin-paths"], `git cannot read ${path}`, { input }));
  return files.filter(({ blob }, i) => hashes[i] === blob);
}
