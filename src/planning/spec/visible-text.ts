// The text that the Markdown parser reads: the spec without its byte order mark and its comments, and without what would
// cost the parser much and tells it nothing. Offsets in it map back to the spec.

import type { Range } from "./spec.js";

/** Lists deeper than this are read as if they stood here: nobody nests deeper on purpose. */
const DEEPEST_INDENT = 48;

export class VisibleText {
  readonly text: string;
  readonly #keptFrom: number[] = [];
  readonly #placedAt: number[] = [];
  readonly #end: number;

  /** `cuts` are in order and do not overlap. */
  constructor(source: string, cuts: readonly Range[]) {
    const kept: string[] = [];
    let at = 0;
    let length = 0;
    for (const { start, end } of [...cuts, { start: source.length, end: source.length }]) {
      if (start > at) {
        this.#keptFrom.push(at);
        this.#placedAt.push(length);
        kept.push(source.slice(at, start));
        length += start - at;
      }
      at = Math.max(at, end);
    }
    this.text = kept.join("");
    this.#end = source.length;
  }

  /** Where a character of the visible text stands in the spec. */
  source(offset: number): number {
    if (offset >= this.text.length) return this.#end;
    let low = 0;
    let high = this.#placedAt.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#placedAt[middle] as number) <= offset) low = middle + 1;
      else high = middle;
    }
    return (this.#keptFrom[low - 1] as number) + offset - (this.#placedAt[low - 1] as number);
  }

  /** Where a range that ends before this character ends in the spec. */
  sourceEnd(offset: number): number {
    return offset === 0 ? 0 : this.source(offset - 1) + 1;
  }
}

const LINE_END = /\r\n|\n|\r/y;

/** A comment that fills its lines goes with them, so that the paragraph around it stays one. */
export function wholeLines(source: string, { start, end }: Range): Range {
  let from = start;
  while (from > 0 && /[ \t]/.test(source[from - 1] as string)) from--;
  const startsLine = from === 0 || /[\r\n]/.test(source[from - 1] as string);
  let to = end;
  while (to < source.length && /[ \t]/.test(source[to] as string)) to++;
  if (!startsLine) return { start, end };
  if (to >= source.length) return { start: from, end: to };
  LINE_END.lastIndex = to;
  const lineEnd = LINE_END.exec(source);
  return lineEnd === null ? { start, end } : { start: from, end: to + lineEnd[0].length };
}

/** White space at the start of a line beyond the deepest list. */
export function deepIndents(source: string): Range[] {
  return Array.from(source.matchAll(/(?<=^|[\r\n])[ \t]{49,}/g), ({ index, 0: run }) => ({
    start: index + DEEPEST_INDENT,
    end: index + run.length,
  }));
}
