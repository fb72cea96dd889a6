// Who comes before whom, for many questions at once: one bit for each pair that anybody asks about.

export class Ancestors {
  readonly #rows: Uint32Array;
  readonly #width: number;
  readonly #columns = new Map<number, number>();

  /** `asked`: only these are remembered as coming before something. */
  constructor(size: number, asked: Iterable<number>) {
    for (const nr of asked) if (!this.#columns.has(nr)) this.#columns.set(nr, this.#columns.size);
    this.#width = Math.ceil(this.#columns.size / 32);
    this.#rows = new Uint32Array(size * this.#width);
  }

  /** From now on `nr` comes after `other` and after everything that `other` comes after by now. */
  follow(nr: number, other: number): void {
    const to = nr * this.#width;
    const from = other * this.#width;
    const rows = this.#rows;
    for (let i = 0; i < this.#width; i++) rows[to + i] = (rows[to + i] as number) | (rows[from + i] as number);
    const column = this.#columns.get(other);
    if (column === undefined) return;
    const word = to + (column >> 5);
    rows[word] = (rows[word] as number) | (1 << (column & 31));
  }

  has(nr: number, other: number): boolean {
    const column = this.#columns.get(other);
    if (column === undefined) return false;
    return ((this.#rows[nr * this.#width + (column >> 5)] as number) & (1 << (column & 31))) !== 0;
  }
}
