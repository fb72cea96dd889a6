// Whose failure it is: about files that an attempt touched, or only about others. It helps people to judge a failure; it never
// makes one count as passed.

import { type ChangeSet, touchedBy } from "../../model/attempt/attempt.js";
import { isOneWord, type Mention, mentionsIn, mentionsPath, withoutTerminalCodes, withSlashes } from "./diagnostics.js";

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
