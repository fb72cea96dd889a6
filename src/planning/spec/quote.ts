// Finds the words of a quote in a spec: exactly, but for white space and emphasis. The spec is indexed once, by its
// words, so that ten thousand quotes cost little more than one.
//
// Also coverage: how much of a spec the quotes of a plan take up, and what is missing.

import { append } from "../../base/append.js";
import { canonicalRequirement } from "./requirement-ids.js";
import { type Coverage, countUpTo, type Range, type Section, type Spec } from "./spec.js";

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
    append(words, text.slice(start, end), start);
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
  for (const [place, statement] of spec.statements.entries()) append(statements, normalise(statement.text).text, place);
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
  return new Set([unquoted, quote, withoutHalfMarks(quote)].map((reading) => normalise(reading).text));
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

interface Normalised {
  readonly text: string;
  /** For each character, where it stands in the source. */
  readonly source: Uint32Array;
}

/** The same as in `collapse`. */
const isSpace = (code: number): boolean =>
  code <= 0x20 ||
  (code >= 0x7f &&
    (code <= 0xa0 ||
      code === 0x1680 ||
      (code >= 0x2000 && code <= 0x200a) ||
      code === 0x2028 ||
      code === 0x2029 ||
      code === 0x202f ||
      code === 0x205f ||
      code === 0x3000 ||
      code === 0xfeff));

/** Letters and digits of any script count as part of a word; so do the halves of a surrogate pair. */
const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code > 0xbf;

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Half of a surrogate pair without the other one. */
const isHalf = (source: string, at: number, code: number): boolean =>
  (isHigh(code) && !isLow(source.charCodeAt(at + 1))) || (isLow(code) && !isHigh(source.charCodeAt(at - 1)));

const STAR = 0x2a;
const UNDERSCORE = 0x5f;
const BACKTICK = 0x60;
const TILDE = 0x7e;

/** More in a row than this are no part of a word. */
const LONGEST_RUN = 20;

/** `_` inside of a word is part of it; `~` is a mark only in pairs. */
function isMark(source: string, at: number, code: number): boolean {
  if (code === STAR || code === BACKTICK) return true;
  if (code === TILDE) return source.charCodeAt(at - 1) === TILDE || source.charCodeAt(at + 1) === TILDE;
  if (code !== UNDERSCORE) return false;
  let left = at - 1;
  while (source.charCodeAt(left) === UNDERSCORE && at - left < LONGEST_RUN) left--;
  let right = at + 1;
  while (source.charCodeAt(right) === UNDERSCORE && right - at < LONGEST_RUN) right++;
  return !(isWord(source.charCodeAt(left)) && isWord(source.charCodeAt(right)));
}

function normalise(source: string, hidden: readonly Range[] = []): Normalised {
  const codes = new Uint16Array(source.length);
  const places = new Uint32Array(source.length);
  let length = 0;
  let next = 0;
  let pendingSpace = -1;
  for (let at = 0; at < source.length; at++) {
    while ((hidden[next]?.end ?? source.length + 1) <= at) next++;
    if ((hidden[next]?.start ?? source.length) <= at) {
      at = (hidden[next] as Range).end - 1;
      continue;
    }
    const code = source.charCodeAt(at);
    if (isSpace(code) || isHalf(source, at, code)) {
      if (pendingSpace === -1 && length > 0) pendingSpace = at;
      continue;
    }
    if (isMark(source, at, code)) continue;
    if (pendingSpace !== -1) {
      codes[length] = 0x20;
      places[length++] = pendingSpace;
      pendingSpace = -1;
    }
    codes[length] = code;
    places[length++] = at;
  }
  return { text: fromCodes(codes, length), source: places.subarray(0, length) };
}

const CHUNK = 8_192;

function fromCodes(codes: Uint16Array, length: number): string {
  const chunks: string[] = [];
  for (let at = 0; at < length; at += CHUNK) {
    // Handed over as it is: to spread it would make a list of it first.
    chunks.push(
      String.fromCharCode.apply(null, codes.subarray(at, Math.min(length, at + CHUNK)) as unknown as number[]),
    );
  }
  return chunks.join("");
}

export interface Claims {
  /** Words of the spec that tasks or behaviours quote. */
  readonly quotes: Iterable<string>;
  /** Requirement ids that they name. */
  readonly requirements: Iterable<string>;
  /** Words of the spec that the plan leaves out on purpose, and why. */
  readonly leftOut: Iterable<{ readonly quote: string; readonly reason: string }>;
}

/** A statement is covered by a quote that is the whole of it, or whose first occurrence overlaps it. */
function markQuoted(spec: Spec, quote: string, covered: Set<number>, headings: Set<string>): void {
  const whole = statementsQuoted(spec, quote);
  for (const place of whole) covered.add(place);
  const found = whole.length > 0 ? undefined : findQuote(spec, quote);
  if (found === undefined) return;
  headings.add(found.section);
  let place = countUpTo(spec.statements, found.start, ({ end }) => end);
  for (; (spec.statements[place]?.start ?? found.end) < found.end; place++) covered.add(place);
}

const percent = (part: number, all: number): number => (all === 0 ? 100 : Math.floor((part / all) * 100));

const DONE = "The spec says that it is done.";

/** By its place: the reason why each statement is left out that no task carries. */
function leftOutPlaces(
  spec: Spec,
  claims: Claims,
  planned: ReadonlySet<number>,
  headings: Set<string>,
): Map<number, string> {
  const places = new Map<number, string>();
  for (const { quote, reason } of claims.leftOut) {
    const found = new Set<number>();
    markQuoted(spec, quote, found, headings);
    for (const place of found) if (!planned.has(place) && !places.has(place)) places.set(place, reason);
  }
  for (const [place, { done }] of spec.statements.entries()) {
    if (done && !planned.has(place) && !places.has(place)) places.set(place, DONE);
  }
  return places;
}

function plannedPlaces(spec: Spec, claims: Claims, named: ReadonlySet<string>, headings: Set<string>): Set<number> {
  const planned = new Set<number>();
  for (const quote of new Set(claims.quotes)) markQuoted(spec, quote, planned, headings);
  const ofHeading = new Map(spec.sections.map(({ id, requirements }) => [id, requirements]));
  for (const [place, { done, requirements, section }] of spec.statements.entries()) {
    // The id of a heading is named by every task below it: it says nothing about this statement.
    const isOwn = requirements !== ofHeading.get(section);
    if (!done && isOwn && requirements.some((id) => named.has(id))) planned.add(place);
  }
  return planned;
}

/** `planned` is never rounded up and `notUnderstood` never down: nothing looks better than it is. */
function shares(
  all: number,
  planned: number,
  notUnderstood: number,
): Pick<Coverage, "planned" | "leftOut" | "notUnderstood"> {
  const unclear = all === 0 ? 0 : Math.ceil((notUnderstood / all) * 100);
  const isAll = planned + notUnderstood === all;
  const taken = isAll ? 100 - unclear : Math.min(percent(planned, all), 100 - unclear);
  return { planned: taken, leftOut: 100 - unclear - taken, notUnderstood: unclear };
}

function reasonsOf(leftOut: ReadonlyMap<number, string>): Coverage["reasons"] {
  const counted = new Map<string, number>();
  for (const reason of leftOut.values()) counted.set(reason, (counted.get(reason) ?? 0) + 1);
  return [...counted]
    .map(([reason, statements]) => ({ reason, statements }))
    .sort((a, b) => b.statements - a.statements);
}

/** Per section and per requirement id, what is planned or left out. */
function details(
  spec: Spec,
  isCovered: (place: number) => boolean,
  named: ReadonlySet<string>,
  headings: ReadonlySet<string>,
): Pick<Coverage, "sections" | "requirements"> {
  const counts = new Map(spec.sections.map(({ id }) => [id, { statements: 0, covered: 0 }]));
  const ofHeading = new Map(spec.sections.map(({ id, requirements }) => [id, requirements]));
  const met = new Set(named);
  for (const { id, requirements } of spec.sections) {
    if (headings.has(id)) for (const requirement of requirements) met.add(requirement);
  }
  for (const [place, { section, requirements }] of spec.statements.entries()) {
    const count = counts.get(section);
    if (count === undefined) continue;
    count.statements += 1;
    if (!isCovered(place)) continue;
    count.covered += 1;
    for (const id of [...requirements, ...(ofHeading.get(section) ?? [])]) met.add(id);
  }
  return {
    sections: spec.sections.map(({ id, title }) => {
      const count = counts.get(id) as { statements: number; covered: number };
      return { id, title, ...count, percent: percent(count.covered, count.statements) };
    }),
    requirements: spec.requirements.map((id) => ({ id, covered: met.has(id) })),
  };
}

export function coverage(spec: Spec, claims: Claims): Coverage {
  const named = new Set(Array.from(claims.requirements, canonicalRequirement));
  const headings = new Set<string>();
  const planned = plannedPlaces(spec, claims, named, headings);
  const leftOut = leftOutPlaces(spec, claims, planned, headings);
  const isCovered = (place: number): boolean => planned.has(place) || leftOut.has(place);
  const uncovered = spec.statements.filter((_, place) => !isCovered(place));
  const all = spec.statements.length;
  const counts = { statements: all, planned: planned.size, leftOut: leftOut.size, notUnderstood: uncovered.length };
  return {
    ...shares(all, counts.planned, counts.notUnderstood),
    counts,
    reasons: reasonsOf(leftOut),
    ...details(spec, isCovered, named, headings),
    uncovered,
  };
}
