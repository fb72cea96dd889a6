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
  /** The footprint. Without one nothing is outside, but the judge is still protected. */
  readonly files: readonly string[];
  readonly checks: readonly Check[];
}

/** Files outside of the footprint, and existing files that decide whether work is accepted. */
export type ChangeScope = Readonly<Record<"outside" | "protectedFiles", readonly string[]>>;

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
  const created = new Set(changes.created);
  const isNewTest = (path: string): boolean => created.has(path) && isTestFile(path, rules);
  const hasFootprint = files.length > 0;
  const touched = touchedBy(changes);
  const outside = hasFootprint ? touched.filter((path) => !matchesAny(files, path) && !isNewTest(path)) : [];
  const named = new Set(checks.flatMap((check) => namedFiles(check, hasFootprint ? "all" : "programs")));
  const isProtected = (path: string): boolean =>
    isTestFile(path, rules) || matchesAny(rules.protectedFiles, path) || named.has(path) || hasNewScripts(path);
  // Without a footprint, nothing says that the task may change them.
  const suspects = hasFootprint ? outside : touched;
  return { outside, protectedFiles: suspects.filter((path) => !created.has(path) && isProtected(path)) };
}

/** Commands that only look at the files that they name: these are the work, not its judge. */
const LOOKING = /^\s*!?\s*(test|\[|grep|cat|ls|wc|head|tail|stat)\s/;

/**
 * The words of a command that may be files, relative to the top: `node scripts/check.mjs`. `programs`: without those that
 * are only looked at, as in `grep -q usage README.md`.
 */
function namedFiles({ run, cwd = "" }: Check, which: "all" | "programs"): string[] {
  const folder = cwd.replace(/^(\.\/)+/, "").replace(/\/+$/, "");
  const commands = run.split(/&&|\|\||[;|&\n]/).filter((command) => which === "all" || !LOOKING.test(command));
  const words = commands
    .flatMap((command) => command.split(/[\s"'`=()<>]+/))
    .map((word) => word.replace(/^(\.\/)+/, "").replace(/::.*$/, ""));
  return words
    .filter((word) => word !== "")
    .map((word) => (folder === "" || folder === "." ? word : `${folder}/${word}`));
}
