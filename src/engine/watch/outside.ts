// Where no sandbox keeps a worker off the repository, what it did there is found: refs and files outside of its worktree
// are looked at before and after it worked. People work in the same repository: what they moved is in git's reflog under
// their own name. A move that nobody explains is the worker's.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../base/errors.js";
import { readPlainFile } from "../../base/plain-file.js";
import { WaitsForPipes } from "../../machine/git/pipes.js";
import { listRefs, readAllRefs } from "../../machine/git/refs.js";
import { findRepository } from "../../machine/git/repository.js";
import { workingTreeAt } from "../../machine/git/working-tree.js";
import { dirtyFilesIn } from "./main-checkout.js";
import type { OutsideState, WatchedPaths } from "./snapshot.js";

export interface AllowedMoves {
  /** Full names of the attempt's own refs. */
  readonly own: readonly string[];
  /** Whether one of us moved the branch of a feature or an attempt, or a kept ref. `to`: null if it is gone. */
  readonly isOurs: (ref: string, to: string | null) => boolean;
  /** Whether a person moved a ref of theirs. */
  readonly isPersons: (move: RefMove) => boolean;
}

/** What git runs or obeys. */
const OBEYED = "config config.worktree info/attributes info/exclude info/grafts objects/info/alternates".split(" ");

/** Only we move these. */
const MANAGED = /^refs\/(?:heads\/planwright\/feature|planwright)\//;

/** The attempt's own worker commits on it, and we remove it when the attempt ends. */
const ATTEMPT = /^refs\/heads\/planwright\/attempt\//;

export function watchedPathsOf(root: string, worktree: string): WatchedPaths | undefined {
  const repository = findRepository(worktree);
  if (!repository) return undefined;
  const { commonDir, gitDir, main } = repository;
  return { root, commonDir, gitDir, checkout: workingTreeAt(main) === undefined ? null : main };
}

async function lookAtCheckout(checkout: string | null): Promise<Pick<OutsideState, "dirty" | "pipes">> {
  try {
    return { dirty: checkout === null ? new Map() : await dirtyFilesIn(checkout), pipes: [] };
  } catch (error) {
    if (error instanceof WaitsForPipes) return { dirty: null, pipes: error.pipes };
    throw error;
  }
}

/** Reads the files one after the other: there are few, and they are small. */
export async function readOutside({ root, commonDir, gitDir, checkout }: WatchedPaths): Promise<OutsideState> {
  const { dirty, pipes } = await lookAtCheckout(checkout);
  const refs = readAllRefs(commonDir) ?? (await listRefs(root, "refs"));
  const files = new Map(OBEYED.map((name) => [`.git/${name}`, hashOf(withoutBranches(textOf(join(commonDir, name))))]));
  for (const [name, stamp] of hooksIn(join(commonDir, "hooks"))) files.set(`.git/hooks/${name}`, stamp);
  files.set(".planwright/plan.db", stampOf(join(root, ".planwright", "plan.db"), "identity"));
  return { refs, files, commits: checkedOutCommits(gitDir), dirty, pipes };
}

/** What cannot be read is not the same as what is not there: a worker may have made it unreadable. */
function unreadable(error: unknown): string {
  const code = codeOf(error);
  return code === "ENOENT" ? "" : `unreadable: ${String(code)}`;
}

function textOf(file: string): string {
  try {
    return existsSync(file) ? readPlainFile(file) : "";
  } catch (error) {
    return unreadable(error);
  }
}

/** The configuration may hold passwords, and snapshots of it are kept in files. */
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

const BRANCH = /^\s*\[\s*branch\s+"(?:[^"\\]|\\.)*"\s*\]\s*$/i;

/** Every push with `-u` writes down where a branch goes. That is no order to run anything; what another section says may be. */
function withoutBranches(config: string): string {
  let [inBranch, isContinued] = [false, false];
  const kept = config.split("\n").filter((line) => {
    // A section may be indented, and what looks like one may be the rest of a value.
    if (!isContinued && /^\s*\[/.test(line)) inBranch = BRANCH.test(line);
    isContinued = line.trimEnd().endsWith("\\");
    return !inBranch && line.trim() !== "";
  });
  return kept.join("\n");
}

/** The plan is written all the time; that it is another file is not our doing. */
function stampOf(file: string, what: "identity" | "content"): string {
  try {
    const { dev, ino, size, mtimeMs, mode } = statSync(file);
    return what === "identity" ? `${dev}:${ino}` : `${dev}:${ino}:${size}:${mtimeMs}:${mode}`;
  } catch (error) {
    return unreadable(error);
  }
}

function hooksIn(folder: string): [string, string][] {
  try {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.map((name) => [name, stampOf(join(folder, name), "content")]);
  } catch (error) {
    return [["", unreadable(error)]];
  }
}

/** The second word of each line of a reflog. */
function checkedOutCommits(gitDir: string): Set<string> {
  const lines = textOf(join(gitDir, "logs", "HEAD")).split("\n");
  return new Set(lines.map((line) => line.split(" ")[1] ?? "").filter((commit) => commit !== ""));
}

const differing = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name)).sort();

export interface RefMove {
  readonly ref: string;
  readonly from: string | null;
  readonly to: string | null;
}

const refMoves = (before: OutsideState, after: OutsideState): RefMove[] =>
  differing(before.refs, after.refs).map((ref) => ({
    ref,
    from: before.refs.get(ref) ?? null,
    to: after.refs.get(ref) ?? null,
  }));

/** The refs that only we may move, or that we may have moved. */
export const managedMoves = (before: OutsideState, after: OutsideState): RefMove[] =>
  refMoves(before, after).filter(({ ref }) => MANAGED.test(ref) || ATTEMPT.test(ref));

/** The new branches. One that a worker makes for its commits does no harm, but names that Planwright uses are reserved. */
export const branchesMade = (before: OutsideState, after: OutsideState): string[] =>
  [...after.refs]
    .filter(([ref, to]) => !before.refs.has(ref) && after.commits.has(to) && /^refs\/heads\/(?!planwright\/)/.test(ref))
    .map(([ref]) => ref);

/** Copies of what is elsewhere. Fetching moves them. */
const COPY = /^refs\/(?:remotes|prefetch)\//;

/** Moves that neither we nor a person made. */
export function strayMoves(before: OutsideState, after: OutsideState, allowed: AllowedMoves): RefMove[] {
  const known = new Set(before.refs.values());
  const added = new Set([...after.refs].filter(([ref]) => !before.refs.has(ref)).map(([, to]) => to));
  const isStray = (move: RefMove): boolean => {
    const { ref, from, to } = move;
    if (allowed.own.includes(ref)) return false;
    if (MANAGED.test(ref)) return !allowed.isOurs(ref, to);
    if (to !== null && after.commits.has(to) && !before.commits.has(to) && !known.has(to)) return true;
    if (COPY.test(ref) || from === null) return false;
    if (ATTEMPT.test(ref) && allowed.isOurs(ref, to)) return false;
    // A branch with another name is still there.
    return to === null ? !added.has(from) : !allowed.isPersons(move);
  };
  return refMoves(before, after).filter(isStray);
}

/** What the worker did outside of its worktree, one sentence each: first its moves, in their order. */
export const findOutsideChanges = (before: OutsideState, after: OutsideState, moves: readonly RefMove[]): string[] => [
  ...moves.map(({ ref, to }) => (to === null ? `The worker deleted ${ref}.` : `The worker moved ${ref} to ${to}.`)),
  ...differing(before.files, after.files).map((file) => `The worker changed ${file}.`),
];
