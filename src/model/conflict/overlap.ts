// Where two footprints meet. Files are compared first; in a file of which both name the symbols that they touch,
// the symbols decide.

import type { Content } from "../node/node.js";

export type Footprint = Pick<Content, "files" | "symbols">;

export interface Overlap {
  /** `symbols` if in every file both named what they touch. */
  readonly layer: "files" | "symbols";
  readonly files: readonly string[];
  /** As `path#name`. */
  readonly symbols: readonly string[];
}

/** A footprint, read once: a candidate is held against many. */
export interface Ground {
  /** Paths without wildcards. A folder is one too: it stands for what is in it. */
  readonly plain: ReadonlySet<string>;
  readonly wild: readonly string[];
  /** Names by the path that they were given with; under the empty path those that were given without one. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

const isWild = (path: string): boolean => /[*?]/.test(path);

/** Has it a part that `tidy` would change? Few have, and every claim looks at several. */
const isUntidy = (path: string): boolean => /\\|\/\/|^\/|\/$|(?:^|\/)\.(?:\/|$)|\/\*\*$/.test(path);

/** `./src\auth/`, `src/auth/**` and `src/auth` are one path. */
const tidy = (path: string): string =>
  isUntidy(path)
    ? path
        .replaceAll("\\", "/")
        .split("/")
        .filter((part) => part !== "" && part !== ".")
        .join("/")
        .replace(/(?<!\/\*\*)(\/\*\*)+$/, "")
    : path;

export function groundOf({ files, symbols }: Footprint): Ground {
  const plain = new Set<string>();
  const wild: string[] = [];
  const names = new Map<string, string[]>();
  const add = (path: string): void => {
    if (isWild(path)) wild.push(path);
    else if (path !== "") plain.add(path);
  };
  for (const file of files) add(tidy(file));
  for (const symbol of symbols) {
    const at = symbol.indexOf("#");
    const path = at < 0 ? "" : tidy(symbol.slice(0, at));
    const name = symbol
      .slice(at + 1)
      .replace(/::|#/g, ".")
      .trim();
    add(path);
    if (name !== "") names.set(path, [...(names.get(path) ?? []), name]);
  }
  return { plain, wild, names };
}

/** Nothing, if they can be worked on at the same time. Two that name no files tell nothing about each other. */
export function overlap(a: Footprint, b: Footprint): Overlap | null {
  return groundsMeet(groundOf(a), groundOf(b));
}

export function groundsMeet(a: Ground, b: Ground): Overlap | null {
  const files: string[] = [];
  const symbols: string[] = [];
  let bySymbols = true;
  for (const file of sharedPaths(a, b)) {
    const [own, other] = [namesIn(a, file), namesIn(b, file)];
    const named = own.length > 0 && other.length > 0;
    const shared = named ? sharedNames(own, other) : [];
    if (named && shared.length === 0) continue;
    files.push(file);
    symbols.push(...shared.map((name) => `${file}#${name}`));
    bySymbols &&= named;
  }
  return files.length === 0 ? null : { layer: bySymbols ? "symbols" : "files", files, symbols };
}

/**
 * A quick no for most of many footprints: true if it could meet one of these. `status` of 20,000 ready tasks beside 26 in
 * progress took 300 ms without it, and takes 170 with it.
 */
export function couldMeet(grounds: readonly Ground[]): (footprint: Footprint) => boolean {
  if (grounds.some(({ wild }) => wild.length > 0)) return () => true;
  const paths = new Set(grounds.flatMap(({ plain }) => [...plain]));
  const around = new Set<string>();
  for (const path of paths) {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) around.add(path.slice(0, end));
  }
  const meets = (path: string): boolean => isWild(path) || isUntidy(path) || around.has(path) || isInside(path, paths);
  const meetsSymbol = (symbol: string): boolean => meets(symbol.slice(0, Math.max(0, symbol.indexOf("#"))));
  return ({ files, symbols }) => files.some(meets) || symbols.some(meetsSymbol);
}

/** Each place where they meet once, as the narrower of the two paths says it. */
function sharedPaths(a: Ground, b: Ground): string[] {
  const found = new Set<string>();
  addInside(found, a.plain, b.plain);
  addInside(found, b.plain, a.plain);
  if (a.wild.length > 0 || b.wild.length > 0) addMatching(found, a, b);
  return found.size === 0 ? [] : [...found].sort();
}

function addMatching(found: Set<string>, a: Ground, b: Ground): void {
  for (const [wild, { plain, wild: others }] of [
    [a.wild, b],
    [b.wild, a],
  ] as const) {
    for (const pattern of wild) {
      for (const path of plain) if (pathsMeet(pattern, path)) found.add(path);
      for (const other of others) if (pathsMeet(pattern, other)) found.add(narrower(pattern, other));
    }
  }
}

const narrower = (a: string, b: string): string => {
  if (a.length !== b.length) return a.length < b.length ? b : a;
  return a < b ? a : b;
};

/** Adds those of these paths that are among the others or in a folder that is. */
function addInside(found: Set<string>, paths: ReadonlySet<string>, others: ReadonlySet<string>): void {
  if (others.size === 0) return;
  for (const path of paths) if (isInside(path, others)) found.add(path);
}

function isInside(path: string, folders: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (folders.has(path.slice(0, end))) return true;
  }
  return false;
}

function namesIn({ names }: Ground, file: string): string[] {
  const found = [...(names.get("") ?? [])];
  for (const [path, own] of names) if (path !== "" && pathsMeet(path, file)) found.push(...own);
  return found;
}

/** A class holds its members, and `close` may be the `close` of any class. */
const isPart = (whole: string, part: string): boolean =>
  whole === part || part.startsWith(`${whole}.`) || part.endsWith(`.${whole}`);

function sharedNames(own: readonly string[], others: readonly string[]): string[] {
  const found = new Set<string>();
  for (const name of own) {
    for (const other of others) {
      if (isPart(name, other)) found.add(other);
      else if (isPart(other, name)) found.add(name);
    }
  }
  return [...found].sort();
}

/** As in `glob.ts`, for two patterns: is there a path that both stand for? */
export function pathsMeet(a: string, b: string): boolean {
  return canMeet(partsOf(a), partsOf(b), "**", (x, y) => x === y || (isWild(x + y) && namesMeet(x, y)));
}

/** A pattern without a slash matches in every folder; a folder stands for everything in it. */
function partsOf(path: string): string[] {
  const parts = path.split("/");
  return [...(parts.length === 1 && isWild(path) ? ["**"] : []), ...parts, "**"];
}

const namesMeet = (x: string, y: string): boolean =>
  canMeet(Array.from(x), Array.from(y), "*", (c, d) => c === d || c === "?" || d === "?");

/** Row by row over what both may have matched so far: at most a × b steps, whatever the patterns. */
function canMeet(
  a: readonly string[],
  b: readonly string[],
  any: string,
  same: (x: string, y: string) => boolean,
): boolean {
  // `row[j]`: the first i of a and the first j of b can stand for one text.
  let row: boolean[] = [];
  for (let i = 0; i <= a.length; i++) {
    const above = row;
    row = [];
    const x = a[i - 1];
    for (let j = 0; j <= b.length; j++) {
      const y = b[j - 1];
      // A wildcard matches nothing, or takes one more of the other.
      const stretched = (x === any || y === any) && (above[j] === true || row[j - 1] === true);
      const both = x !== undefined && y !== undefined && above[j - 1] === true && same(x, y);
      row.push((i === 0 && j === 0) || stretched || both);
    }
  }
  return row[b.length] === true;
}
