// Finds the words of a quote in a spec: exactly, but for white space and emphasis. The spec is indexed once, by its
// words, so that ten thousand quotes cost little more than one.

import { normalise } from "./normalise.js";
import type { Section, Spec } from "./spec.js";

export interface FoundQuote {
  /** From 1. */
  readonly line: number;
  /** The id of the section. */
  readonly section: string;
  /** Offsets into the text of the spec. */
  readonly start: number;
  readonly end: number;
}

interface Index {
  readonly text: string;
  readonly source: Uint32Array;
  /** Where each word starts in the normalised text. */
  readonly words: ReadonlyMap<string, readonly number[]>;
  /** Statements by their whole normalised text: places among the statements. */
  readonly statements: ReadonlyMap<string, readonly number[]>;
  readonly lineStarts: readonly number[];
  /** Quotes that were looked for before: each stage looks for all of them again. */
  readonly found: Map<string, FoundQuote | undefined>;
}

const indexes = new WeakMap<Spec, Index>();

function wordsOf(text: string): Map<string, number[]> {
  const words = new Map<string, number[]>();
  let start = 0;
  while (start < text.length) {
    const space = text.indexOf(" ", start);
    const end = space === -1 ? text.length : space;
    const word = text.slice(start, end);
    const places = words.get(word);
    if (places === undefined) words.set(word, [start]);
    else places.push(start);
    start = end + 1;
  }
  return words;
}

function lineStartsOf(text: string): number[] {
  const separator = text.includes("\n") ? "\n" : "\r";
  const starts = [0];
  for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) starts.push(at + 1);
  return starts;
}

function indexOf(spec: Spec): Index {
  const known = indexes.get(spec);
  if (known !== undefined) return known;
  const { text, source } = normalise(spec.text, spec.hidden);
  const statements = new Map<string, number[]>();
  for (const [place, statement] of spec.statements.entries()) {
    const key = normalise(statement.text).text;
    const same = statements.get(key);
    if (same === undefined) statements.set(key, [place]);
    else same.push(place);
  }
  const index: Index = {
    text,
    source,
    words: wordsOf(text),
    statements,
    lineStarts: lineStartsOf(spec.text),
    found: new Map(),
  };
  indexes.set(spec, index);
  return index;
}

/** How many entries are not after the value: they are in order. */
function countUpTo<T>(entries: readonly T[], value: number, of: (entry: T) => number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(entries[middle] as T) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function place(spec: Spec, index: Index, start: number, end: number): FoundQuote {
  const section = spec.sections[Math.max(0, countUpTo(spec.sections, start, (entry) => entry.start) - 1)] as Section;
  return { line: countUpTo(index.lineStarts, start, (entry) => entry), section: section.id, start, end };
}

/** Where the words start in the normalised text, or -1: by the rarest of the words that are certainly whole. */
function findWords(index: Index, quote: string): number {
  let rarest: readonly number[] | undefined;
  let offset = 0;
  const last = quote.lastIndexOf(" ");
  for (let start = quote.indexOf(" ") + 1; start > 0 && start < last; start = quote.indexOf(" ", start) + 1) {
    const places = index.words.get(quote.slice(start, quote.indexOf(" ", start)));
    if (places === undefined) return -1;
    if (rarest === undefined || places.length < rarest.length) {
      rarest = places;
      offset = start;
    }
  }
  if (rarest === undefined) return index.text.indexOf(quote);
  const at = rarest.find((at) => at >= offset && index.text.startsWith(quote, at - offset));
  return at === undefined ? -1 : at - offset;
}

/** Whole comments; one that is not closed is text. */
function withoutComments(quote: string): string {
  const [first = "", ...others] = quote.split("<!--");
  return others.reduce((seen, part) => {
    const close = part.indexOf("-->");
    return close === -1 ? `${seen}<!--${part}` : seen + part.slice(close + 3);
  }, first);
}

/** All statements that are exactly this quote: their places among the statements of the spec. */
export const statementsQuoted = (spec: Spec, quote: string): readonly number[] =>
  indexOf(spec).statements.get(normalise(quote).text) ?? [];

/** A copy may begin or end in the middle of a mark. */
const withoutHalfMarks = (quote: string): string => quote.replaceAll(/^[~\s]+|[~\s]+$/g, "");

/** Without the marks of block quotes and without comments; and as it stands, since both may be words after all. */
const readings = (quote: string): Set<string> => {
  const unquoted = withoutComments(withoutHalfMarks(quote.replaceAll(/^[ \t]*>[> \t]*/gm, "")));
  const distinct = new Set([unquoted, quote, withoutHalfMarks(quote)]);
  return new Set(Array.from(distinct, (reading) => normalise(reading).text));
};

/** A quote that is a whole statement is found there, otherwise where its words first occur. */
export function findQuote(spec: Spec, quote: string): FoundQuote | undefined {
  const index = indexOf(spec);
  if (!index.found.has(quote)) index.found.set(quote, lookFor(spec, index, quote));
  return index.found.get(quote);
}

function lookFor(spec: Spec, index: Index, quote: string): FoundQuote | undefined {
  for (const wanted of readings(quote)) {
    if (wanted === "") continue;
    const whole = spec.statements[index.statements.get(wanted)?.[0] ?? -1];
    if (whole !== undefined) return place(spec, index, whole.start, whole.end);
    const at = findWords(index, wanted);
    if (at === -1) continue;
    const end = (index.source[at + wanted.length - 1] as number) + 1;
    return place(spec, index, index.source[at] as number, end);
  }
  return undefined;
}
