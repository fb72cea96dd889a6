// Whether a path matches a pattern: `*` and `?` inside a name, `**` over folders; a pattern that names a folder
// means everything in it. Written out instead of turned into an expression, so that no pattern takes long.

export function matchesPath(path: string, pattern: string): boolean {
  const wanted = pattern
    .replace(/^\.?\/+/, "")
    .replace(/\/+$/, "")
    .split("/");
  // A lone name such as `*.lock` is meant wherever it stands.
  const parts = wanted.length === 1 && wanted[0] !== "**" ? ["**", ...wanted] : wanted;
  const names = path.replace(/^(\.\/)+/, "").split("/");
  return matchesAll(names, [...parts, "**"], (part) => part === "**", matchesName);
}

const matchesName = (name: string, part: string): boolean =>
  matchesAll(
    Array.from(name),
    Array.from(part),
    (char) => char === "*",
    (char, wanted) => wanted === "?" || char === wanted,
  );

/** `any`: a part that stands for any number of items, even none. Goes back only to the last such part. */
function matchesAll<T>(
  items: readonly T[],
  parts: readonly T[],
  any: (part: T) => boolean,
  one: (item: T, part: T) => boolean,
): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let from = 0;
  while (at < items.length) {
    const wanted = parts[part];
    if (wanted !== undefined && any(wanted)) {
      star = part++;
      from = at;
    } else if (wanted !== undefined && one(items[at] as T, wanted)) {
      at++;
      part++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++from;
    } else return false;
  }
  return parts.slice(part).every(any);
}
