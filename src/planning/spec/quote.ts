// Finds the words of a quote in a spec: exactly, but for white space and emphasis. The spec is read once for all quotes.

import { append } from "../../base/append.js";
import { commentsIn } from "./comments.js";
import { collapse, SPACES } from "./cues.js";
import { countUpTo, lineStartsOf, type Range, type Section, type Spec } from "./spec.js";
import { VisibleText } from "./visible-text.js";

interface FoundQuote extends Range {
  /** From 1. */
  readonly line: number;
  /** The id of the section. */
  readonly section: string;
}

/** Marks of emphasis and code. `_` inside of a word is part of it, and `~` is a mark only in pairs. */
const MARKS = /[*`]|~{2,}|(?<![\dA-Za-z\u00c0-\uffff_])_+|(?<!_)_+(?![\dA-Za-z\u00c0-\uffff_])/g;

const plainText = (text: string): string => collapse(text.replace(MARKS, ""));

const rangesOf = (text: string, pattern: RegExp): Range[] =>
  Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({ start: index, end: index + found.length }));

function readSpec(spec: Spec) {
  const cuts = [...spec.hidden, ...rangesOf(spec.text, MARKS)].sort((a, b) => a.start - b.start);
  const seen = new VisibleText(spec.text, cuts);
  const doubled = rangesOf(seen.text, SPACES).map(({ start, end }) => ({ start: start + 1, end }));
  const words = new VisibleText(seen.text, doubled);
  const statements = new Map<string, number[]>();
  for (const [place, { text }] of spec.statements.entries()) append(statements, plainText(text), place);
  return {
    text: words.text.replace(SPACES, " "),
    /** Where a character of the text stands in the spec. */
    source: (at: number): number => seen.source(words.source(at)),
    /** Statements by their whole text: places among the statements. */
    statements,
    lineStarts: lineStartsOf(spec.text),
    /** Quotes that were looked for before: each stage looks for all of them again. */
    found: new Map<string, FoundQuote | undefined>(),
  };
}

type Reading = ReturnType<typeof readSpec>;

const readings = new WeakMap<Spec, Reading>();

function readingOf(spec: Spec): Reading {
  const reading = readings.get(spec) ?? readSpec(spec);
  readings.set(spec, reading);
  return reading;
}

function place(spec: Spec, { lineStarts }: Reading, start: number, end: number): FoundQuote {
  const section = spec.sections[Math.max(0, countUpTo(spec.sections, start, (entry) => entry.start) - 1)] as Section;
  return { line: countUpTo(lineStarts, start, (entry) => entry), section: section.id, start, end };
}

/** Whole comments; one that is not closed is text. */
const withoutComments = (quote: string): string => new VisibleText(quote, commentsIn(quote)).text;

/** All statements that are exactly this quote: their places among the statements of the spec. */
export const statementsQuoted = (spec: Spec, quote: string): readonly number[] =>
  readingOf(spec).statements.get(plainText(quote)) ?? [];

/** A copy may begin or end in the middle of a mark. */
const withoutHalfMarks = (quote: string): string => quote.replaceAll(/^[~\s]+|(?<![~\s])[~\s]+$/g, "");

/** Without the marks of block quotes and without comments; and as it stands, since both may be words after all. */
const waysToRead = (quote: string): Set<string> => {
  const unquoted = withoutComments(withoutHalfMarks(quote.replaceAll(/^[ \t]*>[> \t]*/gm, "")));
  return new Set([unquoted, quote, withoutHalfMarks(quote)].map(plainText));
};

/** A quote that is a whole statement is found there, otherwise where its words first occur. */
export function findQuote(spec: Spec, quote: string): FoundQuote | undefined {
  const reading = readingOf(spec);
  if (!reading.found.has(quote)) reading.found.set(quote, lookFor(spec, reading, quote));
  return reading.found.get(quote);
}

function lookFor(spec: Spec, reading: Reading, quote: string): FoundQuote | undefined {
  for (const wanted of waysToRead(quote)) {
    if (wanted === "") continue;
    const whole = spec.statements[reading.statements.get(wanted)?.[0] ?? -1];
    if (whole !== undefined) return place(spec, reading, whole.start, whole.end);
    const at = reading.text.indexOf(wanted);
    if (at !== -1) return place(spec, reading, reading.source(at), reading.source(at + wanted.length - 1) + 1);
  }
  return undefined;
}
