// Whose failure it is. A check looks at the whole tree, and may fail because of something that was broken before: that
// does not reject an attempt. In doubt it does.

import { type ChangeSet, touchedBy } from "../graph/attempt/attempt.js";
import { matchesGlob } from "../graph/conflict/glob.js";
import type { Check } from "../graph/node/node.js";
import { isOneWord, type Mention, mentionsIn, mentionsPath, withoutTerminalCodes, withSlashes } from "./diagnostics.js";
import type { CheckRun, Excuse } from "./run-checks.js";
import { hasOnlyFailuresOf } from "./same-failure.js";

/** `own`: about files that the attempt touched. `foreign`: only about others. */
export type FailureScope = "own" | "foreign" | "unattributable";

/** Not files of the project; stack traces pass through them. */
const ELSEWHERE = /(?:^|\/)(?:node_modules|site-packages|\.cargo\/registry|rustc\/[0-9a-f]{40})\//;

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const endsWithPath = (long: string, short: string): boolean => long === short || long.endsWith(`/${short}`);

class Touched {
  readonly #byName = new Map<string, string[]>();
  /** With a space, or without an ending: looked for letter by letter. */
  readonly #odd: string[] = [];

  constructor(paths: readonly string[]) {
    for (const path of paths.map(withSlashes)) {
      const name = baseName(path);
      this.#byName.set(name, [...(this.#byName.get(name) ?? []), path]);
      if (!isOneWord(path)) this.#odd.push(path);
    }
  }

  /** Tools shorten paths to where they were started; containers put others in front. */
  has(path: string): boolean {
    const short = path.replace(/^(?:\.\.\/)+/, "");
    const isLong = path !== short || isAbsolute(path);
    const named = this.#byName.get(baseName(path)) ?? [];
    return named.some((touched) => endsWithPath(touched, short) || (isLong && endsWithPath(short, touched)));
  }

  isSaidIn(line: string): boolean {
    return this.#odd.some((path) => mentionsPath(line, path));
  }
}

const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:\/)/.test(path);

/** `isAsked`: files that the attempt answers for although it did not touch them. */
export function scopeFailure(
  output: string,
  changes: ChangeSet,
  root: string,
  isAsked: (path: string) => boolean = () => false,
): FailureScope {
  const touched = new Touched(touchedBy(changes));
  const top = `${withSlashes(root).replace(/\/$/, "")}/`;
  let scope: FailureScope = "unattributable";
  for (const line of withoutTerminalCodes(output).split("\n")) {
    const mentions = mentionsIn(line);
    if (touched.isSaidIn(line)) return "own";
    for (const { path, hasLine } of mentions.map((mention) => within(mention, top))) {
      if (touched.has(path) || isAsked(path)) return "own";
      const isOurs = !isAbsolute(path) && !ELSEWHERE.test(path) && (hasLine || path.includes("/"));
      if (isOurs) scope = "foreign";
    }
  }
  return scope;
}

const within = ({ path, hasLine }: Mention, top: string): Mention => ({
  path: path.startsWith(top) ? path.slice(top.length) : path,
  hasLine,
});

export interface ScopeSettings {
  readonly changes: ChangeSet;
  /** What the task said that it would touch: work that was not begun is no foreign failure. */
  readonly files: readonly string[];
  /** The top of the tree with the attempt. */
  readonly root: string;
  /** Runs a check on the tree without the attempt; null if there is no such tree. Asked once for each check. */
  readonly onBase: (check: Check) => Promise<BaseRun | null>;
}

export interface BaseRun {
  readonly run: CheckRun;
  /** The top of the tree without the attempt. */
  readonly root: string;
}

/** An exit code that says "something is wrong here"; not a time limit, a signal, or a success that was not expected. */
const isOrdinary = ({ exitCode, cut }: CheckRun): boolean => exitCode !== null && exitCode !== 0 && !cut;

/** `vitest run src/cart.test.ts` is about that file, whoever touched it. */
const isNamedIn = (command: string, path: string): boolean =>
  command
    .split(/[\s"'=]+/)
    .map((word) =>
      withSlashes(word)
        .replace(/^(?:\.\/)+/, "")
        .replace(/::.*$/, ""),
    )
    .some((word) => isOneWord(word) && (endsWithPath(path, word) || endsWithPath(word, path)));

/**
 * Excuses a failed check if what it complains about is only in files that the attempt did not touch, and if it complains
 * about the same without the attempt. The base may be slow to make, so it is asked last.
 */
export function excuseOldFailures({ changes, files, root, onBase }: ScopeSettings): Excuse {
  const known = new Map<string, Promise<BaseRun | null>>();
  const baseOf = (check: Check): Promise<BaseRun | null> => {
    const key = JSON.stringify(check);
    const run = known.get(key) ?? onBase(check);
    known.set(key, run);
    return run;
  };
  return async (check, failed) => {
    const isAsked = (path: string): boolean =>
      files.some((pattern) => matchesGlob(pattern, path)) || isNamedIn(check.run, path);
    if (!isOrdinary(failed) || scopeFailure(failed.output, changes, root, isAsked) !== "foreign") return null;
    const base = await baseOf(check);
    if (base === null || base.run.result.passed || base.run.cut || base.run.exitCode !== failed.exitCode) return null;
    const isOld = hasOnlyFailuresOf({ output: failed.output, root }, { output: base.run.output, root: base.root });
    return isOld ? "only in files that the attempt did not touch, and the same without it" : null;
  };
}
