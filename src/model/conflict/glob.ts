// Patterns for paths: `?` and `*` stay inside one folder, `**` crosses folders. As in a .gitignore, a pattern
// without a slash matches in every folder, and a folder stands for everything in it.

/** The two pointers of a wildcard match: at most text × pattern steps, whatever the pattern. */
function matches<T>(
  pattern: readonly T[],
  text: readonly T[],
  isAny: (part: T) => boolean,
  isOne: (part: T, of: T) => boolean,
): boolean {
  let [p, t, star, mark] = [0, 0, -1, 0];
  while (t < text.length) {
    if (p < pattern.length && isAny(pattern[p] as T)) {
      star = p++;
      mark = t;
    } else if (p < pattern.length && isOne(pattern[p] as T, text[t] as T)) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.length && isAny(pattern[p] as T)) p++;
  return p === pattern.length;
}

const matchesName = (pattern: string, name: string): boolean =>
  matches(
    Array.from(pattern),
    Array.from(name),
    (c) => c === "*",
    (c, of) => c === "?" || c === of,
  );

const partsOf = (path: string): string[] => path.split(/[\\/]/).filter((part) => part !== "" && part !== ".");

export function matchesGlob(pattern: string, path: string): boolean {
  const parts = partsOf(pattern);
  if (parts.length === 0) return false;
  const anywhere = parts.length === 1 && !/^[\\/]/.test(pattern) ? ["**"] : [];
  return matches([...anywhere, ...parts, "**"], partsOf(path), (part) => part === "**", matchesName);
}

/** Where a pattern is kept, so that those that may match a path are found without looking at all: see `placesOfPath`. */
export function placeOfPattern(pattern: string): string {
  const parts = partsOf(pattern);
  const [only = ""] = parts;
  if (parts.length === 1 && !/^[\\/]/.test(pattern)) return /[*?]/.test(only) ? "" : `**/${only}`;
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  return (wild < 0 ? parts : parts.slice(0, wild)).join("/");
}

/** The places of every pattern that matches the path, and of others: match them again. */
export function placesOfPath(path: string): string[] {
  const parts = partsOf(path);
  const above = parts.map((_, i) => parts.slice(0, i + 1).join("/"));
  return [...new Set(["", ...above, ...parts.map((part) => `**/${part}`)])];
}
