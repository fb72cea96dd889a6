// A checkout in the middle of its move says so itself, in its own part of the repository: whoever comes next can put it
// right, whatever became of the program that moved it and of what that program wrote down.

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findRepository } from "./repository.js";
import { type WorkingTree, workingTreeAt } from "./working-tree.js";
import { listWorktrees } from "./worktree.js";

export interface Advance {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** One word for whoever does it. */
  readonly owner: string;
}

export interface Half extends Advance {
  /** It goes on, or its program was killed; without, its program has given up. */
  readonly locked: boolean;
}

type InGit = Pick<WorkingTree, "gitDir">;

const lockOf = ({ gitDir }: InGit): string => join(gitDir, "index.lock");
/** Stays until it is settled, whoever is killed on the way. */
const noteOf = ({ gitDir }: InGit): string => join(gitDir, "planwright-landing-half");

const textOf = ({ owner, from, to }: Advance): string => `planwright: ${owner}\n${from} ${to}\n`;
const TEXT = /^planwright: (\S+)\n([0-9a-f]+) ([0-9a-f]+)\n$/;
/** A lock of git's own holds a whole index. */
const LONGEST = 1000;

function read(file: string): Omit<Advance, "path"> | undefined {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? Infinity) > LONGEST) return undefined;
    const [, owner, from, to] = TEXT.exec(readFileSync(file, "utf8")) ?? [];
    return owner === undefined || from === undefined || to === undefined ? undefined : { owner, from, to };
  } catch {
    // Taken away at this moment.
    return undefined;
  }
}

/** No git program writes to the index while it is there. False if another has it. */
export function lock(tree: InGit, advance: Advance): boolean {
  try {
    writeFileSync(lockOf(tree), textOf(advance), { flag: "wx" });
    return true;
  } catch {
    return false;
  }
}

const isLockedBy = (tree: InGit, owner: string): boolean => read(lockOf(tree))?.owner === owner;

/** Whoever settled it meanwhile has taken it away, and another may hold one by now. */
export function unlock(tree: InGit, { owner }: Advance): void {
  if (isLockedBy(tree, owner)) rmSync(lockOf(tree), { force: true });
}

export const isForeign = (tree: InGit, { owner }: Advance): boolean =>
  existsSync(lockOf(tree)) && !isLockedBy(tree, owner);

export const isNoted = (tree: InGit): boolean => existsSync(noteOf(tree));

/** On the disk before anything moves, and whole or not at all. */
export function note(tree: InGit, advance: Advance): void {
  const draft = `${noteOf(tree)}.${process.pid}.new`;
  writeFileSync(draft, textOf(advance), { flush: true });
  renameSync(draft, noteOf(tree));
}

export const forget = (tree: InGit): void => rmSync(noteOf(tree), { force: true });

function halfIn(tree: InGit): Omit<Half, "path"> | undefined {
  const held = read(lockOf(tree));
  const half = read(noteOf(tree)) ?? held;
  return half && { ...half, locked: held?.owner === half.owner };
}

function gitDirsOf(commonDir: string): string[] {
  const linked = join(commonDir, "worktrees");
  return [commonDir, ...(existsSync(linked) ? readdirSync(linked).map((name) => join(linked, name)) : [])];
}

/** All that are there. Git is started only if there is one: this is asked often. */
export async function halfMoved(cwd: string): Promise<Half[]> {
  const repository = findRepository(cwd);
  if (!repository || !gitDirsOf(repository.commonDir).some((gitDir) => halfIn({ gitDir }))) return [];
  return (await listWorktrees(cwd)).flatMap(({ path }) => {
    const tree = workingTreeAt(path);
    const half = tree && halfIn(tree);
    return half ? [{ ...half, path }] : [];
  });
}
