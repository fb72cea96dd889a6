// A text without the parts that are cut out of it, and where each of its characters stands in the whole.

import { countUpTo, type Range } from "./spec.js";

export class VisibleText {
  readonly text: string;
  readonly #keptFrom: number[] = [];
  readonly #placedAt: number[] = [];
  readonly #end: number;

  /** `cuts` are in order. */
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

  /** Where a character of the visible text stands in the source. */
  source(offset: number): number {
    if (offset >= this.text.length) return this.#end;
    const part = countUpTo(this.#placedAt, offset, (placed) => placed) - 1;
    return (this.#keptFrom[part] as number) + offset - (this.#placedAt[part] as number);
  }

  /** Where a range that ends before this character ends in the source. */
  sourceEnd(offset: number): number {
    return offset === 0 ? 0 : this.source(offset - 1) + 1;
  }
}
