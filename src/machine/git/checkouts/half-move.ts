// A checkout in the middle of its move says so itself, in its own part of the repository: the next program can put it
// right, whatever became of the program that moved it and of what that program wrote down.

import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../../base/errors.js";
import { readPlainFile } from "../../../base/plain-file.js";
import { marksIn } from "../removals.js";
import { administrations, findRepository } from "../repository.js";
import { type WorkingTree, workingTreeAt } from "../working-tree.js";
import { listWorktrees } from "../worktree.js";

export interface Advance {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** One word that names the program. */
  readonly owner: string;
  /** The program that does it, such as `host/1234`. */
  readonly holder: string;
}

export interface Half extends Omit<Advance, "holder"> {
  /** It goes on, or its program was killed; without, its program has given up. */
  readonly locked: boolean;
}

type InGit = Pick<WorkingTree, "gitDir">;
type Lock = Omit<Advance, "path" | "holder"> & { readonly holder: string | null };

const lockOf = ({ gitDir }: InGit): string => join(gitDir, "index.lock");
/** Stays until it is settled, even if programs are killed on the way. */
const noteOf = ({ gitDir }: InGit): string => join(gitDir, "planwright-landing-half");
const draftOf = (file: string): string => `${file}.${process.pid}.new`;

const noteText = ({ owner, from, to }: Advance): string => `planwright: ${owner}\n${from} ${to}\n`;
const lockText = (advance: Advance): string => `${noteText(advance)}${advance.holder}\n`;
const TEXT = /^planwright: (\S+)\n([0-9a-f]+) ([0-9a-f]+)\n(?:(\S+)\n)?$/;
/** A lock of git's own holds a whole index. */
const NOTE_BYTES_LIMIT = 1000;

function read(file: string): Lock | undefined {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? Infinity) > NOTE_BYTES_LIMIT) return undefined;
    const [, owner, from, to, holder = null] = TEXT.exec(readPlainFile(file)) ?? [];
    return owner === undefined || from === undefined || to === undefined ? undefined : { owner, from, to, holder };
  } catch {
    // Taken away at this moment.
    return undefined;
  }
}

/** Locks that this process holds: the holder in the file does not tell its own callers apart. */
const held = new Set<string>();

/** No git program writes to the index while it is there. False if another has it. */
export function lock(tree: InGit, advance: Advance): boolean {
  const file = lockOf(tree);
  const draft = draftOf(file);
  try {
    // Write the text first: a lock without it, after a full disk, would look like git's own for ever.
    writeFileSync(draft, lockText(advance));
    copyWhole(draft, file);
    held.add(file);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Fails if the target exists. Copies where the file system has no hard links. */
function copyWhole(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (existsSync(to)) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

/** `busy`: a running program of ours has the lock. `foreign`: a git program has it. */
type LockTaken = "taken" | "busy" | "foreign";

/**
 * Locks the index, or takes over the lock of a holder that may lose it (null: unknown). Whoever takes one over puts its own text beside
 * the lock first. If another program that runs (`isAtWork`) has done the same, neither goes on, or only the other one does.
 */
export function takeLock(
  advance: Advance,
  mayLose: (holder: string | null) => boolean,
  isAtWork: (holder: string, ageMs: number) => boolean,
): LockTaken {
  const tree = workingTreeAt(advance.path);
  if (!tree) throw new Error(`${advance.path} is not a working tree.`);
  const file = lockOf(tree);
  if (held.has(file)) return "busy";
  if (lock(tree, advance)) return "taken";
  const own = `${TAKER}${encodeURIComponent(advance.holder)}`;
  try {
    writeFileSync(join(tree.gitDir, own), lockText(advance));
    if (marksIn(tree.gitDir, TAKERS, isAtWork).some((name) => name !== own)) return "busy";
    const found = read(file);
    if (found === undefined) return "foreign";
    if (!mayLose(found.holder)) return "busy";
    renameSync(join(tree.gitDir, own), file);
    held.add(file);
    return "taken";
  } catch (error) {
    // Another program took ours for one of a dead program.
    if (codeOf(error) === "ENOENT") return "busy";
    throw error;
  } finally {
    rmSync(join(tree.gitDir, own), { force: true });
  }
}

const TAKER = "planwright-taking-lock-";
const TAKERS = new RegExp(`^${TAKER}(.+)$`);

export function isLockedBy(tree: InGit, { owner, holder }: Advance): boolean {
  const found = read(lockOf(tree));
  return found?.owner === owner && found.holder === holder;
}

/** Keeps the lock if another program has taken it over. */
export function unlock(tree: InGit, advance: Advance): void {
  held.delete(lockOf(tree));
  if (isLockedBy(tree, advance)) rmSync(lockOf(tree), { force: true });
}

export const isNoted = (tree: InGit): boolean => existsSync(noteOf(tree));

/** On the disk before anything moves, and whole or not at all. */
export function note(tree: InGit, advance: Advance): void {
  const draft = draftOf(noteOf(tree));
  writeFileSync(draft, noteText(advance), { flush: true });
  renameSync(draft, noteOf(tree));
}

export const forgetHalfMove = (tree: InGit): void => rmSync(noteOf(tree), { force: true });

function halfIn(tree: InGit): Omit<Half, "path"> | undefined {
  const lock = read(lockOf(tree));
  const half = read(noteOf(tree)) ?? lock;
  if (half === undefined) return undefined;
  const { owner, from, to } = half;
  return { owner, from, to, locked: lock?.owner === owner };
}

/** All that are there. Git is started only if there is one: this is asked often. */
export async function halfMoved(cwd: string): Promise<Half[]> {
  const repository = findRepository(cwd);
  if (!repository) return [];
  const gitDirs = [repository.commonDir, ...administrations(repository)];
  if (!gitDirs.some((gitDir) => halfIn({ gitDir }))) return [];
  return (await listWorktrees(cwd)).flatMap(({ path }) => {
    const tree = workingTreeAt(path);
    const half = tree && halfIn(tree);
    return half ? [{ ...half, path }] : [];
  });
}
