// One stream of a small shell, up to the mark at the end of each command.

import type { Readable } from "node:stream";

/** Smaller pieces are put together: a command may say a letter at a time. */
const PIECE = 64_000;

export class Heard {
  readonly #mark: string;
  #pieces: string[] = [];
  #length = 0;
  #keep = 0;
  /** The end of what was heard: a mark may come in two pieces. */
  #last = "";
  #whole: ((text: string) => void) | undefined;
  #isForeign = false;

  constructor(stream: Readable, mark: string) {
    this.#mark = `${mark}\n`;
    stream.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
    stream.on("error", () => {});
  }

  /** Whether somebody spoke when no command ran: whoever it is may speak into the next one, too. */
  get isForeign(): boolean {
    return this.#isForeign;
  }

  /** Of all that is said up to the next mark the last `keep` characters. */
  whole(keep: number): Promise<string> {
    this.#keep = keep;
    return new Promise((done) => {
      this.#whole = done;
    });
  }

  take(): string {
    const text = this.#pieces.join("");
    this.#pieces = [];
    this.#length = 0;
    this.#last = "";
    return text.length > this.#keep ? text.slice(text.length - this.#keep) : text;
  }

  #hear(text: string): void {
    const done = this.#whole;
    if (!done) {
      this.#isForeign = true;
      return;
    }
    const near = this.#last + text;
    const at = near.indexOf(this.#mark);
    if (at < 0) {
      this.#add(text);
      this.#last = near.slice(1 - this.#mark.length);
      return;
    }
    this.#add(text);
    const after = near.length - at;
    if (after > this.#mark.length) this.#isForeign = true;
    this.#whole = undefined;
    // What is kept must not be less for the mark and what follows it.
    this.#keep += after;
    done(this.take().slice(0, -after));
  }

  #add(text: string): void {
    const end = this.#pieces.length - 1;
    if (end >= 0 && (this.#pieces[end] as string).length < PIECE) this.#pieces[end] += text;
    else this.#pieces.push(text);
    this.#length += text.length;
    // Far less than the longest string there can be: a piece more than what is kept.
    while (this.#length - (this.#pieces[0] as string).length > this.#keep + this.#mark.length) {
      this.#length -= (this.#pieces.shift() as string).length;
    }
  }
}
