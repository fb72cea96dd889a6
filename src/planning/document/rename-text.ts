// Free text that speaks of nodes by the ids of a draft, once they have names in the plan.

/** Such as `T1` or `F2.3`. An id that is a plain word may be just that word. */
const IS_ID = /\d/;

const escaped = (id: string): string => id.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

export type Rename = (text: string) => string;

/** Names every id that stands for itself: not as a part of a longer word, of a path or of a number. */
export function renameIn(names: Readonly<Record<string, string>>): Rename {
  const known = new Map(Object.entries(names).filter(([id, name]) => id !== name && IS_ID.test(id)));
  if (known.size === 0) return (text) => text;
  const ids = [...known.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const mention = new RegExp(
    String.raw`(?<![\p{L}\p{N}_./-])(?:${ids.join("|")})(?![\p{L}\p{N}_/-]|\.[\p{L}\p{N}])`,
    "gu",
  );
  return (text) => text.replace(mention, (id) => known.get(id) ?? id);
}
