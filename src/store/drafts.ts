// The rows of one operation, by their numbers. New rows are numbered one after another, so they stand in a list: among a
// hundred thousand, a place in it is found in a tenth of the time that a map takes.

import type { Nr } from "../graph/node/node.js";

export class Drafts<T> {
  readonly #others = new Map<Nr, T>();
  readonly #listed: T[] = [];
  #first = 0;

  get(nr: Nr): T | undefined {
    const place = nr - this.#first;
    return place >= 0 && place < this.#listed.length ? this.#listed[place] : this.#others.get(nr);
  }

  set(nr: Nr, row: T): void {
    this.#others.set(nr, row);
  }

  /** A new row. One whose number does not follow stands with the others. */
  append(nr: Nr, row: T): void {
    if (this.#listed.length === 0) this.#first = nr;
    if (nr === this.#first + this.#listed.length) this.#listed.push(row);
    else this.set(nr, row);
  }

  /** As they are now: what comes to them later is not among these. */
  all(): readonly T[] {
    return this.#others.size === 0 ? [...this.#listed] : [...this.#others.values(), ...this.#listed];
  }
}
