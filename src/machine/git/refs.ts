// Branches and other refs. We read them from files where possible. A change is one transaction: all refs move or none, and
// only if each still is what the caller expects.

import { createHash } from "node:crypto";
import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../base/errors.js";
import { readPlainFile } from "../../base/plain-file.js";
import { clockMs } from "../process/clock.js";
import { type Done, done, git, linesOf, notDone, problemOf, succeeded } from "./git.js";
import { lockGone, lockIn } from "./ref-locks.js";
import { findRepository, followRef, headCommit, resolveRef } from "./repository.js";

/** Longer than it takes until an abandoned lock is removed. */
const PATIENCE_MS = 20_000;

/** A loose ref is a file, and file names have a limit. */
const REF_PART_LIMIT = 180;

/** Any text as one part of a ref's name. Different texts give different parts. */
function refPart(text: string): string {
  const bytes = [...Buffer.from(text, "utf8")];
  const plain = (byte: number): boolean => /[\w-]/.test(String.fromCharCode(byte));
  const hex = (byte: number): string => `%${byte.toString(16).padStart(2, "0")}`;
  const part = bytes.map((byte) => (plain(byte) ? String.fromCharCode(byte) : hex(byte))).join("");
  if (part === "") return "%";
  return part.length <= REF_PART_LIMIT
    ? part
    : `${part.slice(0, 80)}%%${createHash("sha256").update(text).digest("hex")}`;
}

/** Full names: every function here takes them. */
export const FEATURE_BRANCHES = "refs/heads/planwright/feature";
export const featureBranch = (id: string): string => `${FEATURE_BRANCHES}/${refPart(id)}`;
export const ATTEMPT_BRANCHES = "refs/heads/planwright/attempt";
export const attemptBranch = (key: string): string => `${ATTEMPT_BRANCHES}/${refPart(key)}`;
export const keptRef = (key: string): string => `refs/planwright/kept/${refPart(key)}`;

/** Keeps the accepted work of a feature until it has landed, also if somebody deletes the feature's branch. */
export const ACCEPTED_REFS = "refs/planwright/accepted";
export const acceptedRef = (branch: string): string => branch.replace(FEATURE_BRANCHES, ACCEPTED_REFS);

/** The commit of a feature's branch, or of what is kept of it if the branch was deleted. */
export const readFeatureTip = async (cwd: string, branch: string): Promise<string | null> =>
  (await readRef(cwd, branch)) ?? readRef(cwd, acceptedRef(branch));

/** Older programs kept there what a worker had put onto a ref that is not its own. */
export const STRAY_REFS = "refs/planwright/stray";

/** The feature's id. Null if it was too long to be read back, or if the branch is not a feature's. */
export function featureOfBranch(ref: string): string | null {
  const part = ref.slice(FEATURE_BRANCHES.length + 1);
  try {
    const id = decodeURIComponent(part);
    return featureBranch(id) === ref ? id : null;
  } catch {
    return null;
  }
}

/** A branch as users write it: `planwright/feature/FEAT-001`. */
export const shortName = (ref: string): string => ref.replace(/^refs\/heads\//, "");

/** The commit, or null if there is no such ref. */
export async function readRef(cwd: string, ref: string): Promise<string | null> {
  const repository = findRepository(cwd);
  if (repository && !existsSync(join(repository.commonDir, "reftable"))) return resolveRef(repository, ref);
  const result = await git(cwd, ["rev-parse", "--verify", "--quiet", "--end-of-options", ref]);
  if (succeeded(result)) return result.stdout.trim();
  // A ref that git cannot look up must not pass for one that is gone.
  if (result.exitCode === 1 || !repository) return null;
  throw new Error(`git cannot look up ${ref}: ${problemOf(result)}`);
}

/** The commit that is checked out in the working tree around a folder. Null before the first one, and without a repository. */
export async function readHead(folder: string): Promise<string | null> {
  const repository = findRepository(folder);
  if (!repository) return null;
  if (!existsSync(join(repository.commonDir, "reftable"))) return headCommit(repository);
  const { exitCode, stdout } = await git(folder, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return exitCode === 0 ? stdout.trim() : null;
}

export interface RefChange {
  readonly ref: string;
  /** Null deletes it. The same as `from` changes nothing, but the other changes happen only if it still is that. */
  readonly to: string | null;
  /** What it must be before: null for absent, undefined for anything. */
  readonly from?: string | null | undefined;
}

function instruction({ ref, to, from }: RefChange): string {
  const held = from === undefined || from === null ? "" : ` ${from}`;
  if (to === from) return `verify ${ref}${held}\n`;
  if (to === null) return `delete ${ref}${held}\n`;
  return from === null ? `create ${ref} ${to}\n` : `update ${ref} ${to}${held}\n`;
}

/** Moves all of them or none. `git reflog` shows the reason. */
export async function moveRefs(cwd: string, changes: readonly RefChange[], reason = "planwright"): Promise<Done> {
  const input = changes.map(instruction).join("");
  const until = clockMs() + PATIENCE_MS;
  for (;;) {
    const result = await git(cwd, ["update-ref", "-m", reason, "--stdin"], { input });
    if (succeeded(result)) return done;
    const lock = lockIn(result.output);
    if (lock === undefined || clockMs() > until) return notDone(problemOf(result));
    await lockGone(cwd, lock);
  }
}

/** Fails if it exists. */
export const createRef = (cwd: string, ref: string, to: string): Promise<Done> =>
  moveRefs(cwd, [{ ref, to, from: null }]);

/** The refs below a prefix such as `refs/planwright/kept`, with their commits. */
export async function listRefs(cwd: string, prefix: string): Promise<Map<string, string>> {
  const result = await git(cwd, ["for-each-ref", "--format=%(objectname) %(refname)", "--", prefix]);
  if (!succeeded(result) && !findRepository(cwd)) return new Map();
  if (!succeeded(result)) throw new Error(`git cannot list the refs below ${prefix}: ${problemOf(result)}`);
  return new Map(linesOf(result.stdout).map(refInLine));
}

/** A line has a commit, a space and the name of a ref. */
const refInLine = (line: string): [ref: string, commit: string] => [
  line.slice(line.indexOf(" ") + 1),
  line.slice(0, line.indexOf(" ")),
];

// Reads every ref from files, as `git for-each-ref` would. An engine looks twice for each attempt, and starting git twice
// would take 4 ms of the 35 that an attempt costs.

/**
 * Undefined if refs are stored in another way or as symbolic links: then ask git. Leaves out refs that lead nowhere. Throws if
 * it cannot read them: a ref that exists must not seem to be gone.
 */
export function readAllRefs(commonDir: string): Map<string, string> | undefined {
  if (existsSync(join(commonDir, "reftable"))) return undefined;
  // Loose refs first: one that is packed meanwhile is then found in the packed ones.
  const loose = new Map<string, string>();
  if (!addLoose(loose, commonDir, "refs")) return undefined;
  const values = new Map([...packedRefs(commonDir), ...loose]);
  const refs = new Map<string, string>();
  for (const [ref, value] of values) {
    const commit = followRef(value, (other) => values.get(other));
    if (commit !== null) refs.set(ref, commit);
  }
  return refs;
}

/** False if it finds something that is neither a file nor a folder. */
function addLoose(refs: Map<string, string>, commonDir: string, folder: string): boolean {
  for (const entry of entriesOf(commonDir, folder)) {
    const ref = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!addLoose(refs, commonDir, ref)) return false;
    } else if (!ref.endsWith(".lock")) {
      if (!entry.isFile()) return false;
      const value = orGone(() => readPlainFile(`${commonDir}/${ref}`));
      if (value !== undefined) refs.set(ref, value.trim());
    }
  }
  return true;
}

/** Git removes a folder with its last ref, but never `refs` itself. */
function entriesOf(commonDir: string, folder: string): Dirent[] {
  const read = (): Dirent[] => readdirSync(join(commonDir, folder), { withFileTypes: true });
  return folder === "refs" ? read() : (orGone(read) ?? []);
}

function orGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Lines with `^` belong to tags. */
function packedRefs(commonDir: string): [string, string][] {
  const file = join(commonDir, "packed-refs");
  const lines = (existsSync(file) ? (orGone(() => readPlainFile(file)) ?? "") : "").split("\n");
  return lines.filter((line) => /^[0-9a-f]/.test(line)).map(refInLine);
}
