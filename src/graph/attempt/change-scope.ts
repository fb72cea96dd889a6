// Which files of a change are outside of what its task may touch, and which of those decide whether work is accepted: tests, CI,
// lock files, package scripts, files that a check names. A worker must not weaken its own judge.

import { matchesGlob } from "../conflict/glob.js";
import type { Check } from "../node/node.js";
import { type ChangeSet, touchedBy } from "./attempt.js";

export interface ScopeRules {
  readonly testFiles: readonly string[];
  readonly protectedFiles: readonly string[];
}

export interface ScopedTask {
  /** The footprint. Without one, nothing is outside. */
  readonly files: readonly string[];
  readonly checks: readonly Check[];
}

export interface ChangeScope {
  /** Files outside of the footprint. */
  readonly outside: readonly string[];
  /** Those of them that decide whether work is accepted. */
  readonly protectedFiles: readonly string[];
}

const matchesAny = (patterns: readonly string[], path: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, path));

export const isTestFile = (path: string, { testFiles }: Pick<ScopeRules, "testFiles">): boolean =>
  matchesAny(testFiles, path);

/** `hasNewScripts`: package files whose scripts differ from those of the base. */
export function changeScopeOf(
  changes: ChangeSet,
  { files, checks }: ScopedTask,
  rules: ScopeRules,
  hasNewScripts: (path: string) => boolean = () => false,
): ChangeScope {
  if (files.length === 0) return { outside: [], protectedFiles: [] };
  const created = new Set(changes.created);
  const isNewTest = (path: string): boolean => created.has(path) && isTestFile(path, rules);
  const outside = touchedBy(changes).filter((path) => !matchesAny(files, path) && !isNewTest(path));
  const named = new Set(checks.flatMap(namedFiles));
  const isProtected = (path: string): boolean =>
    isTestFile(path, rules) || matchesAny(rules.protectedFiles, path) || named.has(path) || hasNewScripts(path);
  return { outside, protectedFiles: outside.filter((path) => !created.has(path) && isProtected(path)) };
}

/** The words of a command that may be files, relative to the top: `node scripts/check.mjs`. */
function namedFiles({ run, cwd = "" }: Check): string[] {
  const folder = cwd.replace(/^(\.\/)+/, "").replace(/\/+$/, "");
  const words = run.split(/[\s"'`=;|&()<>]+/).map((word) => word.replace(/^(\.\/)+/, "").replace(/::.*$/, ""));
  return words
    .filter((word) => word !== "")
    .map((word) => (folder === "" || folder === "." ? word : `${folder}/${word}`));
}
