// Names of branches and what they point at. Reading is done from files where that is enough; every change is one
// transaction that happens as a whole, and only if each ref is still what the caller believes.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { git, problemOf, succeeded } from "./git.js";
import { lockGone, lockIn } from "./ref-locks.js";
import { findRepository, resolveRef } from "./repository.js";

export type Done = { readonly ok: true } | { readonly ok?: never; readonly problem: string };

export const done: Done = { ok: true };

/** Longer than a lock that nobody holds any more is left alone. */
const PATIENCE_MS = 20_000;

/** A file name has an end. */
const LONGEST = 180;

/** Any text as one part of a ref's name; two texts never share one. */
function refPart(text: string): string {
  const bytes = [...Buffer.from(text, "utf8")];
  const plain = (byte: number): boolean => /[\w-]/.test(String.fromCharCode(byte));
  const hex = (byte: number): string => `%${byte.toString(16).padStart(2, "0")}`;
  const part = bytes.map((byte) => (plain(byte) ? String.fromCharCode(byte) : hex(byte))).join("");
  if (part === "") return "%";
  return part.length <= LONGEST ? part : `${part.slice(0, 80)}%%${createHash("sha256").update(text).digest("hex")}`;
}

/** Full names, as every function here takes them. */
export const FEATURE_BRANCHES = "refs/heads/planwright/feature";
export const featureBranch = (id: string): string => `${FEATURE_BRANCHES}/${refPart(id)}`;
export const ATTEMPT_BRANCHES = "refs/heads/planwright/attempt";
export const attemptBranch = (key: string): string => `${ATTEMPT_BRANCHES}/${refPart(key)}`;
export const keptRef = (key: string): string => `refs/planwright/kept/${refPart(key)}`;

/** The id that `featureBranch` was given; null if it was too long to be read back, or the branch is no feature's. */
export function featureOfBranch(ref: string): string | null {
  const part = ref.slice(FEATURE_BRANCHES.length + 1);
  try {
    const id = decodeURIComponent(part);
    return featureBranch(id) === ref ? id : null;
  } catch {
    return null;
  }
}

/** As people write it: `planwright/feature/FEAT-001`. */
export const shortName = (ref: string): string => ref.replace(/^refs\/heads\//, "");

/** The commit, or null if there is no such ref. */
export async function readRef(cwd: string, ref: string): Promise<string | null> {
  const repository = findRepository(cwd);
  if (repository && !existsSync(join(repository.commonDir, "reftable"))) return resolveRef(repository, ref);
  const result = await git(cwd, ["rev-parse", "--verify", "--quiet", "--end-of-options", ref]);
  if (succeeded(result)) return result.stdout.trim();
  // A ref that git could not look for must not be taken for one that is gone.
  if (result.exitCode === 1 || !repository) return null;
  throw new Error(`${ref} could not be looked up: ${problemOf(result)}`);
}

export interface RefChange {
  readonly ref: string;
  /** Null takes it away. The same as `from` changes nothing, but holds everything else to it. */
  readonly to: string | null;
  /** What it has to be before: null for nothing, undefined for whatever it is. */
  readonly from?: string | null | undefined;
}

function instruction({ ref, to, from }: RefChange): string {
  const held = from === undefined || from === null ? "" : ` ${from}`;
  if (to === from) return `verify ${ref}${held}\n`;
  if (to === null) return `delete ${ref}${held}\n`;
  return from === null ? `create ${ref} ${to}\n` : `update ${ref} ${to}${held}\n`;
}

/** Where this program has moved refs to, one place after the other, by their repository and name. */
const moved = new Map<string, readonly (string | null)[]>();
/** Older ones are looked up. */
const REMEMBERED = 10_000;
const LONGEST_WAY = 100;

const placeOf = (cwd: string, ref: string): string => `${cwd}\0${ref}`;

/** Whether this very program has moved the ref the whole way from there to there, and nowhere else since. */
export function wasMovedHere(cwd: string, ref: string, from: string | null, to: string | null): boolean {
  const way = moved.get(placeOf(cwd, ref)) ?? [];
  return way.at(-1) === to && way.slice(0, -1).includes(from);
}

/** The way so far, if it leads to where this move begins. */
function wayTo(place: string, { from, to }: RefChange): readonly (string | null)[] {
  if (from === undefined) return [to];
  const way = moved.get(place) ?? [];
  return way.at(-1) === from ? [...way, to].slice(-LONGEST_WAY) : [from, to];
}

/** Noted before it happens: whoever looks in between must not wonder who did it. */
function noteMoves(cwd: string, changes: readonly RefChange[]): () => void {
  const places: string[] = [];
  for (const change of changes) {
    if (change.to === change.from) continue;
    const place = placeOf(cwd, change.ref);
    const way = wayTo(place, change);
    moved.delete(place);
    moved.set(place, way);
    places.push(place);
  }
  for (const place of moved.keys()) {
    if (moved.size <= REMEMBERED) break;
    moved.delete(place);
  }
  return () => places.forEach((place) => moved.delete(place));
}

/** All of them or none. The reason is what `git reflog` shows. */
export async function moveRefs(cwd: string, changes: readonly RefChange[], reason = "planwright"): Promise<Done> {
  const takeBack = noteMoves(cwd, changes);
  const result = await tryToMove(cwd, changes, reason);
  if (!result.ok) takeBack();
  return result;
}

async function tryToMove(cwd: string, changes: readonly RefChange[], reason: string): Promise<Done> {
  const input = changes.map(instruction).join("");
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const result = await git(cwd, ["update-ref", "-m", reason, "--stdin"], { input });
    if (succeeded(result)) return done;
    const lock = lockIn(result.output);
    if (lock === undefined || performance.now() > until) return { problem: problemOf(result) };
    await lockGone(cwd, lock);
  }
}

/** Fails if it exists. */
export const createRef = (cwd: string, ref: string, to: string): Promise<Done> =>
  moveRefs(cwd, [{ ref, to, from: null }]);

/** Those below a prefix such as `refs/planwright/kept`, with their commits. */
export async function listRefs(cwd: string, prefix: string): Promise<Map<string, string>> {
  const result = await git(cwd, ["for-each-ref", "--format=%(objectname) %(refname)", "--", prefix]);
  if (!succeeded(result) && !findRepository(cwd)) return new Map();
  if (!succeeded(result)) throw new Error(`what is below ${prefix} could not be listed: ${problemOf(result)}`);
  const lines = result.stdout.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]));
}
