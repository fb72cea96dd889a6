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
