// The end of a long output: the last lines explain how a process ended.

export class Tail {
  readonly #keep: number;
  #text = "";

  constructor(keep: number) {
    this.#keep = keep;
  }

  add(chunk: string): void {
    this.#text += chunk;
    if (this.#text.length > this.#keep * 2) this.#text = this.#text.slice(-this.#keep);
  }

  get text(): string {
    return this.#text.length > this.#keep ? this.#text.slice(-this.#keep) : this.#text;
  }
}
