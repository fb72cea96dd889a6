// How much of something goes into one call: as much as its budget of tokens allows, the most relevant first, and of the rest an
// index with the way to read it. Nothing is left out without a word.

import { estimateTokens } from "../../model/words.js";

/** A heading, and what stands below it; null: nothing. */
export type Part = readonly [name: string, text: string | null];

export const json = (value: unknown): string => JSON.stringify(value, null, 1);

/** The share of a window: instructions, the agent's own reading and its answer need the rest, and JSON is more tokens than prose. */
const MATERIAL_SHARE = 0.6;

export const materialTokens = (windowTokens: number): number =>
  Math.max(250, Math.floor(windowTokens * MATERIAL_SHARE));

/** Takes one after the other while the budget lasts, and skips what is too large by itself. */
export function takeWithin<T>(list: readonly T[], tokens: number, write: (item: T) => string): T[] {
  const kept: T[] = [];
  let left = tokens;
  for (const item of list) {
    const cost = estimateTokens(write(item)) + 1;
    if (cost > left) continue;
    left -= cost;
    kept.push(item);
  }
  return kept;
}

/** How to read a part whole (look-up.ts). */
export const readingOf = (name: string): string => `\`look_up\` of \`${name}\` gives all of it.`;

/** The share of what is given whole when all is too much; the index gets the rest. */
const WHOLE_SHARE = 0.6;
const INDEX_LINE_LENGTH = 120;

const indexed = (words: string): string => {
  const line = words.replace(/\s+/g, " ");
  return line.length <= INDEX_LINE_LENGTH ? `- ${line}` : `- ${line.slice(0, INDEX_LINE_LENGTH)}…`;
};

export interface Selection<T> {
  readonly whole: readonly T[];
  /** An index of the others, and how to read them; empty if all are whole. */
  readonly rest: string;
}

export interface Listing<T> {
  readonly items: readonly T[];
  readonly tokens: number;
  readonly write: (item: T) => string;
  /** Its id, and what it is about. */
  readonly line: (item: T) => string;
  /** How to read those that stand only in the index. */
  readonly reading: string;
  /** The greater, the sooner it stands whole; without it, the first ones do. */
  readonly weight?: (item: T) => number;
}

/** As many lines as fit, and how many more there are. */
export function indexOf<T>(items: readonly T[], tokens: number, line: (item: T) => string): string[] {
  const listed = takeWithin(items, tokens, line);
  const unlisted = items.length - listed.length;
  return [...listed.map(line), ...(unlisted > 0 ? [`(and ${unlisted} more that are not even listed)`] : [])];
}

/** What stands whole, in the order of the list, and an index of the others. */
export function choose<T>({ items, tokens, write, line, reading, weight = () => 0 }: Listing<T>): Selection<T> {
  if (estimateTokens(items.map(write).join("\n")) <= tokens) return { whole: items, rest: "" };
  const byWeight = items.map((item) => ({ item, heavy: weight(item) })).toSorted((a, b) => b.heavy - a.heavy);
  const kept = new Set(takeWithin(byWeight, tokens * WHOLE_SHARE, ({ item }) => write(item)).map(({ item }) => item));
  const others = byWeight.map(({ item }) => item).filter((item) => !kept.has(item));
  const rest = [
    `Index of the ${others.length} others, which are not shown whole. ${reading}`,
    ...indexOf(others, tokens * (1 - WHOLE_SHARE), (item) => indexed(line(item))),
  ];
  return { whole: items.filter((item) => kept.has(item)), rest: rest.join("\n") };
}

export function listPart<T>(name: string, listing: Listing<T>): Part {
  if (listing.items.length === 0) return [name, null];
  const { whole, rest } = choose(listing);
  const text = whole.map(listing.write).join("\n");
  if (rest === "") return [name, text];
  return [
    `${name} (${whole.length} of ${listing.items.length} whole, the others as an index)`,
    `${text}\n\n${rest}`.trim(),
  ];
}

/** One text, line by line: how much of it stands there, and how to read the rest. */
export function textPart(name: string, text: string, tokens: number, reading: string): Part {
  if (estimateTokens(text) <= tokens) return [name, text];
  const lines = text.split("\n");
  const kept = takeWithin(lines, tokens, (line) => line);
  return [`${name} (shortened: ${kept.length} of ${lines.length} lines. ${reading})`, kept.join("\n")];
}
