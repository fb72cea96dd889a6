// Which files of a change are outside of what its task may touch, and which of those decide whether work is accepted. A worker must not
// weaken its own judge.

import { matchesGlob } from "../conflict/glob.js";
import type { Check } from "../node/node.js";
import { type ChangeSet, touchedBy } from "./attempt.js";
import { namedFiles, packageFolders } from "./check-programs.js";
import { isLockFile, shadowsModule, steersJudge } from "./judge-files.js";

export interface ScopeRules {
  readonly testFiles: readonly string[];
  /** In addition to those that steer every judge. */
  readonly protectedFiles: readonly string[];
}

export interface ScopedTask {
  /** The footprint. Without one nothing is outside, but the judge is still protected. */
  readonly files: readonly string[];
  readonly checks: readonly Check[];
}

/** What the repository says about a change. */
export interface ScopeFacts {
  /** Whether the repository keeps tests where this new file is, see `keepsTests`. */
  readonly keepsTests: (path: string) => boolean;
  /** Changed files such as `package.json` in which nothing changed that steers. */
  readonly harmless: ReadonlySet<string>;
  /** Files that the package scripts behind the checks start. */
  readonly programs: readonly string[];
}

/**
 * `outside`: of the footprint. `protectedFiles`: of these, what decides whether work is accepted. `steering`: of these, what decides
 * it for all work, so that no run with the old files settles it. `tests`: what counts as a test.
 */
export type ChangeScope = Readonly<Record<"outside" | "protectedFiles" | "steering" | "tests", readonly string[]>>;

const matchesAny = (patterns: readonly string[], path: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, path));

/** By its name. Whether a new file counts as a test depends on where it is. */
export const isTestFile = (path: string, { testFiles }: Pick<ScopeRules, "testFiles">): boolean =>
  matchesAny(testFiles, path) && !steersJudge(path);

/** All that a file is in. The top, "", counts only for what is right in it. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.length === 0 ? [""] : parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}

/** New tests belong where these files have some, in the same folder or below one of its parents; at the top only beside others. */
export function keepsTests(files: readonly string[], rules: Pick<ScopeRules, "testFiles">): ScopeFacts["keepsTests"] {
  const folders = new Set(files.filter((path) => isTestFile(path, rules)).flatMap(foldersOf));
  return (path) => foldersOf(path).some((folder) => folders.has(folder));
}

export function changeScopeOf(
  changes: ChangeSet,
  { files, checks }: ScopedTask,
  rules: ScopeRules,
  { keepsTests: isKept, harmless, programs }: ScopeFacts,
): ChangeScope {
  const created = new Set(changes.created);
  const touched = touchedBy(changes);
  const isInside = (path: string): boolean => matchesAny(files, path);
  const isTest = (path: string): boolean =>
    isTestFile(path, rules) && (!created.has(path) || isInside(path) || isKept(path));
  const isNewTest = (path: string): boolean => created.has(path) && isTest(path);
  const hasFootprint = files.length > 0;
  const outside = hasFootprint ? touched.filter((path) => !isInside(path) && !isNewTest(path)) : [];
  const named = (which: "all" | "programs"): Set<string> =>
    new Set([...checks.flatMap((check) => namedFiles(check, which)), ...programs]);
  const [started, mentioned] = [named("programs"), named(hasFootprint ? "all" : "programs")];
  const folders = packageFolders(checks);
  const steers = (path: string): boolean =>
    (steersJudge(path) && !harmless.has(path)) ||
    matchesAny(rules.protectedFiles, path) ||
    (created.has(path) && shadowsModule(path, folders));
  // Without a footprint, an approved check that starts a new file says that the task makes it.
  const judges = (path: string): boolean =>
    created.has(path)
      ? hasFootprint && started.has(path)
      : mentioned.has(path) || isTestFile(path, rules) || isLockFile(path);
  // Without a footprint, nothing says that the task may change them.
  const suspects = hasFootprint ? outside : touched;
  const steering = suspects.filter(steers);
  return {
    outside,
    protectedFiles: suspects.filter((path) => steers(path) || judges(path)),
    steering,
    tests: [...changes.created, ...changes.modified].filter(isTest),
  };
}
