// Reads from what compilers, linters, test runners and stack traces say which files it is about. No two tools say it in the
// same way, so this looks for what they share: a path, with a line after it or a word of failure beside it.

import { type ChangeSet, touchedBy } from "../../model/attempt/attempt.js";
import { isPassing, withoutTerminalCodes } from "../../model/attempt/failure-view.js";

/** In any word: `AssertionError`, `ERR_MODULE_NOT_FOUND`, `panicked`. */
const FAILING =
  /err(?:or|!|_)|fail|fatal|panic|exception|traceback|assert|unhandled|uncaught|cannot|could not|not (?:found|ok|a )|undefined|undeclared|unexpected|invalid|missing|warn|reformat|abort|denied|refused|time(?:d ?|-)?out|[✗✘✖×❯]|^\s*x\s|^E\s|^\s*>\s*\d+\s*[|│]/i;

/** What a path is made of. Folders may have names in brackets, as in `app/[id]/(shop)/page.tsx`. */
const PIECE = String.raw`(?:[^\s"'\`<>|,;:=()[\]{}]|\([\w.-]+\)(?=[\\/])|\[[\w.-]+\](?=[\\/.]))+`;

/** It begins where a word begins, and is read to its end: a megabyte without a space is looked through once. */
const WORD = new RegExp(String.raw`(?<![^\s"'\`<>|,;:=()[\]{}])(?:file:\/\/)?(?:[A-Za-z]:(?=[\\/]))?${PIECE}`, "g");

/** The part of it up to an ending such as `.ts`. */
const PATH = new RegExp(
  String.raw`^(?:file:\/\/)?(?:[A-Za-z]:(?=[\\/]))?${PIECE}\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w\\/-])`,
);

function* pathsIn(line: string): Iterable<{ readonly word: string; readonly index: number }> {
  for (const { 0: whole, index } of line.matchAll(WORD)) {
    const word = PATH.exec(whole)?.[0];
    if (word !== undefined) yield { word, index };
  }
}

/** `:12`, `(12,5)`, `:[12,5]`, `", line 12`, `: line 12`, `::test`. */
const POSITION = /^(?::\d|\(\d+[,)]|:\[\d|["']?,? line \d|: line \d|::\w|#L\d)/;

const LONGEST_POSITION = 20;

const ADDRESS = /\b(?:https?|wss?|node|npm|webpack):[^\s"'`)\]]+/g;

export interface Mention {
  /** As it was said, with forward slashes and without `file://` or `./`. */
  readonly path: string;
  /** With a line in the file: not just a name that happens to end in `.js`. */
  readonly hasLine: boolean;
}

function decoded(path: string): string {
  if (!path.startsWith("file://")) return path;
  // `file:///C:/x` has one slash more than the path.
  const bare = path.slice("file://".length).replace(/^\/(?=[A-Za-z]:)/, "");
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

export const withSlashes = (path: string): string => path.replaceAll("\\", "/");

const toPath = (said: string): string => withSlashes(decoded(said)).replace(/^(?:\.\/)+/, "");

export function mentionsIn(line: string): Mention[] {
  if (isPassing(line)) return [];
  const telling = FAILING.test(line);
  const said = line.replace(ADDRESS, " ");
  const mentions: Mention[] = [];
  const trimmed = said.trim();
  for (const { word, index } of pathsIn(said)) {
    const hasLine = POSITION.test(said.slice(index + word.length, index + word.length + LONGEST_POSITION));
    // A line that is nothing but a path is a heading, or a list of what is wrong.
    if (hasLine || telling || trimmed === word) mentions.push({ path: toPath(word), hasLine });
  }
  return mentions;
}

/** Whether such a path would be read as one word. */
export const isOneWord = (path: string): boolean => {
  const [found] = pathsIn(path);
  return found?.word === path;
};

/** The same question as `mentionsIn`, for a path that cannot be read as one word. */
export function mentionsPath(line: string, path: string): boolean {
  const said = withSlashes(line);
  if (isPassing(line) || !said.includes(path)) return false;
  const isTelling = FAILING.test(line) || said.trim() === path;
  for (let at = said.indexOf(path); at >= 0; at = said.indexOf(path, at + path.length)) {
    const after = said.slice(at + path.length, at + path.length + LONGEST_POSITION);
    const isWhole = !/[\w.-]/.test(said[at - 1] ?? "") && !/^[\w-]/.test(after);
    if (isWhole && (isTelling || POSITION.test(after))) return true;
  }
  return false;
}

// Reads the names of failing tests from a report: TAP, JUnit, or what common test runners print themselves. A report that does
// not add up is not read at all: a failure without a name cannot be excused.

interface Format {
  /** Each match names one failing test in its first group. */
  readonly test: RegExp;
  /** How many failed, in the report's own words. */
  readonly count?: RegExp;
}

// Nothing in them passes the end of a line, and no two parts of one take the same letters: the work grows as the report does.
const FORMATS: readonly Format[] = [
  { test: /^[ \t]*not ok \d+ -? ?(.+?)(?: # time=.*)?$/gm, count: /^# fail (\d+)$/m },
  { test: /^FAILED (\S+::.+?)(?: - .*)?$/gm, count: /(?<!\d)(\d+) failed/ },
  { test: /^[ \t]*--- FAIL: (\S+)/gm },
  { test: /^test (\S+) \.\.\. FAILED$/gm, count: /(?<!\d)(\d+) failed;/ },
  { test: /^[ \t]*FAIL[ \t]+(\S.* > .+)$/gm, count: /^[ \t]*Tests[ \t]+(\d+) failed/m },
  { test: /^[ \t]*● (.+ › .+)$/gm, count: /^Tests:[ \t]+(\d+) failed/m },
];

/** How long it took. */
const TOOK = /(?<!\s)\s+\d+ms$/;

/** Tags of a JUnit report: a test begins, a test ends, a test failed. No tag has another one inside. */
const TAG = /<testcase\b((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>|<\/testcase>|<(?:failure|error)\b/g;

const attribute = (text: string, name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? "";

const nameOf = (head: string): string =>
  [attribute(head, "classname"), attribute(head, "name")].filter((part) => part !== "").join(".");

/** Reads from tag to tag, once: a report that opens a million tests and closes none takes no longer than its length. */
function fromJUnit(report: string): string[] {
  const failed: string[] = [];
  let open: { readonly head: string; hasFailed: boolean } | null = null;
  for (const [tag, head] of report.matchAll(TAG)) {
    if (head !== undefined) open = head.endsWith("/") ? null : { head, hasFailed: false };
    else if (open !== null && tag !== "</testcase>") open.hasFailed = true;
    else {
      if (open?.hasFailed === true) failed.push(nameOf(open.head));
      open = null;
    }
  }
  return failed;
}

/** Each once, in order. Empty if nothing could be read, or if the report counts more failures than it names. */
export function failingTests(output: string): string[] {
  const report = withoutTerminalCodes(output);
  const junit = fromJUnit(report);
  if (junit.length > 0) return [...new Set(junit)];
  for (const { test, count } of FORMATS) {
    const found = [...new Set([...report.matchAll(test)].map(([, name = ""]) => name.replace(TOOK, "").trim()))];
    if (found.length === 0) continue;
    const said = count && count.exec(report)?.[1];
    return said !== undefined && Number(said) !== found.length ? [] : found;
  }
  return [];
}

// Whose failure it is: about files that an attempt touched, or only about others. It helps people to judge a failure; it never
// makes one count as passed.

/** `own`: about files that the attempt touched. `foreign`: only about others. */
type FailureScope = "own" | "foreign" | "unattributable";

/** Files that are not the project's; stack traces pass through them. */
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

export function scopeFailure(output: string, changes: ChangeSet, root: string): FailureScope {
  const touched = new Touched(touchedBy(changes));
  const top = `${withSlashes(root).replace(/\/$/, "")}/`;
  let scope: FailureScope = "unattributable";
  for (const line of withoutTerminalCodes(output).split("\n")) {
    const mentions = mentionsIn(line);
    if (touched.isSaidIn(line)) return "own";
    for (const { path, hasLine } of mentions.map((mention) => within(mention, top))) {
      if (touched.has(path)) return "own";
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
