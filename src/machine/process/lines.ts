// Cuts a stream of text into lines. It drops a line that is too long before it fills the memory.

/** Longer than any reply of a model. */
const MAX_LINE = 64 * 1024 * 1024;

export class LineCutter {
  readonly #max: number;
  #pieces: string[] = [];
  #length = 0;

  constructor(max = MAX_LINE) {
    this.#max = max;
  }

  /** The lines that this piece of text completes. */
  cut(text: string): string[] {
    const [head = "", ...rest] = text.split("\n");
    this.#append(head);
    return rest.flatMap((piece) => {
      const line = this.#take();
      this.#append(piece);
      return line;
    });
  }

  /** What came after the last line end. */
  rest(): string[] {
    return this.#length === 0 ? [] : this.#take();
  }

  #append(piece: string): void {
    this.#length += piece.length;
    if (this.#length > this.#max) this.#pieces = [];
    else if (piece !== "") this.#pieces.push(piece);
  }

  #take(): string[] {
    const fits = this.#length <= this.#max;
    const line = this.#pieces.join("");
    this.#pieces = [];
    this.#length = 0;
    return fits ? [line.endsWith("\r") ? line.slice(0, -1) : line] : [];
  }
}

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
