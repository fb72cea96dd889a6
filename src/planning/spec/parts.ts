// A spec beyond the window of an agent, cut into parts: between sections where that is enough, else between
// paragraphs, then lines, then anywhere. Nothing is lost: the parts, one after the other, are the text.

import { QUARTERS, tokenQuarters } from "../../model/words.js";
import type { Range, Spec } from "./spec.js";

export interface SpecPart extends Range {
  readonly text: string;
  readonly tokens: number;
  /** Ids of the sections that it holds, whole or in part. */
  readonly sections: readonly string[];
}

interface Piece extends Range {
  readonly quarters: number;
}

/** Cuts after each match. */
function cutAfter(text: string, { start, end }: Range, separator: RegExp): Range[] {
  const ranges: Range[] = [];
  let from = start;
  for (const match of text.slice(start, end).matchAll(separator)) {
    const to = start + match.index + match[0].length;
    if (to >= end) break;
    ranges.push({ start: from, end: to });
    from = to;
  }
  ranges.push({ start: from, end });
  return ranges;
}

/** A line that is too long is cut anywhere but inside of a surrogate pair. */
function cutAnywhere(text: string, { start, end }: Range, limit: number): Piece[] {
  const pieces: Piece[] = [];
  let from = start;
  let quarters = 0;
  for (let at = start; at < end; ) {
    const width = (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
    const cost = tokenQuarters(text, at, Math.min(end, at + width));
    if (quarters + cost > limit && at > from) {
      pieces.push({ start: from, end: at, quarters });
      from = at;
      quarters = 0;
    }
    quarters += cost;
    at += width;
  }
  pieces.push({ start: from, end, quarters });
  return pieces;
}

const PARAGRAPH_END = /\n[ \t\r]*\n/g;
const LINE_END = /\n|\r(?!\n)/g;

function piecesOf(text: string, range: Range, limit: number, separators: readonly RegExp[]): Piece[] {
  const quarters = tokenQuarters(text, range.start, range.end);
  if (quarters <= limit) return [{ ...range, quarters }];
  const [separator, ...finer] = separators;
  if (separator === undefined) return cutAnywhere(text, range, limit);
  return cutAfter(text, range, separator).flatMap((piece) => piecesOf(text, piece, limit, finer));
}

function sectionsWithin({ sections }: Spec, { start, end }: Range, from: number): { ids: string[]; next: number } {
  const ids: string[] = [];
  let next = from;
  for (; next < sections.length && (sections[next]?.start ?? end) < end; next++) {
    const section = sections[next];
    if (section !== undefined && section.end > start) ids.push(section.id);
    if (section !== undefined && section.end > end) break;
  }
  return { ids, next };
}

export function splitSpec(spec: Spec, maxTokens: number): SpecPart[] {
  const limit = Math.max(1, Math.floor(maxTokens)) * QUARTERS;
  const separators = [PARAGRAPH_END, LINE_END];
  const pieces = spec.sections.flatMap(({ start, end }) => piecesOf(spec.text, { start, end }, limit, separators));
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last === undefined || last.quarters + piece.quarters > limit) joined.push(piece);
    else joined[joined.length - 1] = { start: last.start, end: piece.end, quarters: last.quarters + piece.quarters };
  }
  let next = 0;
  return joined.map(({ start, end, quarters }) => {
    const within = sectionsWithin(spec, { start, end }, next);
    next = within.next;
    return {
      start,
      end,
      text: spec.text.slice(start, end),
      tokens: Math.ceil(quarters / QUARTERS),
      sections: within.ids,
    };
  });
}
