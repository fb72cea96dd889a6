// Counts what a backtracking engine does to match a regular expression: one step for each letter that it compares and each choice that it
// takes. Steps do not depend on the machine, so a test can hold that they grow no faster than the text.

type Part =
  | { readonly kind: "set"; readonly source: string }
  | { readonly kind: "at"; readonly what: "^" | "$" | "b" | "B" }
  | { readonly kind: "all" | "any"; readonly parts: readonly Part[] }
  | { readonly kind: "many"; readonly min: number; readonly max: number; readonly isLazy: boolean; readonly of: Part }
  | { readonly kind: "group"; readonly number: number; readonly of: Part }
  | { readonly kind: "back"; readonly number: number }
  | { readonly kind: "look"; readonly isBehind: boolean; readonly isNot: boolean; readonly of: Part };

const QUANTIFIER = /(?:([*+?])|\{(\d+)(,)?(\d*)\})(\?)?/y;
const OPENING = /\((?:\?(?:(<?[=!])|:|<[A-Za-z]\w*>))?/y;
const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|.)/sy;
const CLASS = /\[\^?(?:\\.|[^\]\\])*\]/sy;

class Reader {
  readonly #source: string;
  #at = 0;
  #groups = 0;

  constructor(source: string) {
    this.#source = source;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found) this.#at += found[0].length;
    return found;
  }

  choices(): Part {
    const parts = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at++;
      parts.push(this.#sequence());
    }
    return parts.length === 1 ? (parts[0] as Part) : { kind: "any", parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] as string)) {
      parts.push(this.#repeated(this.#single()));
    }
    return { kind: "all", parts };
  }

  #repeated(of: Part): Part {
    const found = this.#take(QUANTIFIER);
    if (!found) return of;
    const [, sign, least, comma, most] = found;
    const min = sign === undefined ? Number(least) : sign === "+" ? 1 : 0;
    const open = comma === undefined ? min : most === "" ? Infinity : Number(most);
    const max = sign === undefined ? open : sign === "?" ? 1 : Infinity;
    return { kind: "many", min, max, isLazy: found[5] !== undefined, of };
  }

  #single(): Part {
    const opening = this.#take(OPENING);
    if (opening) {
      const look = opening[1];
      const number = look === undefined && opening[0] !== "(?:" ? ++this.#groups : 0;
      const of = this.choices();
      this.#at++;
      if (look !== undefined) return { kind: "look", isBehind: look.startsWith("<"), isNot: look.endsWith("!"), of };
      return number === 0 ? of : { kind: "group", number, of };
    }
    const set = this.#take(CLASS) ?? this.#take(ESCAPE);
    if (set === null) return this.#letter(this.#source[this.#at++] as string);
    const [source] = set;
    if (source === "\\b" || source === "\\B") return { kind: "at", what: source === "\\b" ? "b" : "B" };
    return /^\\[1-9]$/.test(source) ? { kind: "back", number: Number(source[1]) } : { kind: "set", source };
  }

  #letter(letter: string): Part {
    if (letter === "^" || letter === "$") return { kind: "at", what: letter };
    return { kind: "set", source: letter };
  }
}

type Next = (at: number) => boolean;

class TooMany extends Error {}

/** Goes the way of a real engine: backwards inside of a look behind. */
class Engine {
  steps = 0;
  readonly #flags: string;
  readonly #text: string;
  readonly #most: number;
  readonly #groups: (string | undefined)[] = [];
  readonly #fits: Map<string, boolean>;

  constructor(text: string, flags: string, most: number, fits: Map<string, boolean>) {
    [this.#text, this.#flags, this.#most, this.#fits] = [text, flags, most, fits];
  }

  #step(): void {
    if (++this.steps > this.#most) throw new TooMany();
  }

  match(part: Part, at: number, step: 1 | -1, next: Next): boolean {
    if (part.kind === "set") return this.#matchSet(part.source, at, step, next);
    if (part.kind === "at") return this.#isAt(part.what, at) && next(at);
    if (part.kind === "all")
      return this.#matchAll(step === 1 ? part.parts : part.parts.toReversed(), 0, at, step, next);
    if (part.kind === "any") return part.parts.some((each) => (this.#step(), this.match(each, at, step, next)));
    if (part.kind === "many") return this.#matchMany(part, 0, at, step, next);
    if (part.kind === "look") return this.#looks(part, at) && next(at);
    if (part.kind === "back") return this.#matchBack(part.number, at, step, next);
    return this.#matchGroup(part as Part & { kind: "group" }, at, step, next);
  }

  #matchGroup(part: Part & { kind: "group" }, at: number, step: 1 | -1, next: Next): boolean {
    return this.match(part.of, at, step, (end) => {
      const before = this.#groups[part.number];
      this.#groups[part.number] = this.#text.slice(Math.min(at, end), Math.max(at, end));
      if (next(end)) return true;
      this.#groups[part.number] = before;
      return false;
    });
  }

  #matchSet(source: string, at: number, step: 1 | -1, next: Next): boolean {
    this.#step();
    const letter = this.#text[step === 1 ? at : at - 1];
    return letter !== undefined && this.#isIn(source, letter) && next(at + step);
  }

  #isIn(source: string, letter: string): boolean {
    const key = `${letter}${source}`;
    let isIn = this.#fits.get(key);
    if (isIn === undefined) {
      isIn = new RegExp(`^(?:${source})$`, this.#flags.replace(/[gmy]/g, "")).test(letter);
      this.#fits.set(key, isIn);
    }
    return isIn;
  }

  #matchAll(parts: readonly Part[], from: number, at: number, step: 1 | -1, next: Next): boolean {
    const part = parts[from];
    if (part === undefined) return next(at);
    return this.match(part, at, step, (end) => this.#matchAll(parts, from + 1, end, step, next));
  }

  #matchMany(many: Part & { kind: "many" }, had: number, at: number, step: 1 | -1, next: Next): boolean {
    this.#step();
    const { min, max, isLazy, of } = many;
    const more = (): boolean =>
      had < max &&
      this.match(of, at, step, (end) => (end !== at || had < min) && this.#matchMany(many, had + 1, end, step, next));
    if (had < min) return more();
    return isLazy ? next(at) || more() : more() || next(at);
  }

  #matchBack(number: number, at: number, step: 1 | -1, next: Next): boolean {
    const said = this.#groups[number] ?? "";
    const from = step === 1 ? at : at - said.length;
    this.steps += said.length;
    return this.#text.startsWith(said, from) && next(at + step * said.length);
  }

  #looks({ isBehind, isNot, of }: Part & { kind: "look" }, at: number): boolean {
    return this.match(of, at, isBehind ? -1 : 1, () => true) !== isNot;
  }

  #isAt(what: "^" | "$" | "b" | "B", at: number): boolean {
    const [before, after] = [this.#text[at - 1], this.#text[at]];
    const isWord = (letter: string | undefined): boolean => letter !== undefined && /\w/.test(letter);
    if (what === "b" || what === "B") return (isWord(before) !== isWord(after)) === (what === "b");
    const beside = what === "^" ? before : after;
    return beside === undefined || (this.#flags.includes("m") && /[\n\r\u2028\u2029]/.test(beside));
  }
}

export class Counter {
  readonly #part: Part;
  readonly #flags: string;
  readonly #fits = new Map<string, boolean>();

  constructor({ source, flags }: Pick<RegExp, "source" | "flags">) {
    this.#part = new Reader(source).choices();
    this.#flags = flags;
  }

  /** To look for the expression in a text; for all its matches, if it is global. No more are counted than `most`. */
  steps(text: string, most: number): number {
    const engine = new Engine(text, this.#flags, most, this.#fits);
    try {
      for (let from = 0; from <= text.length; ) {
        let end = -1;
        const found = engine.match(this.#part, from, 1, (at) => ((end = at), true));
        if ((found && !this.#flags.includes("g")) || this.#flags.includes("y")) break;
        from = found ? Math.max(end, from + 1) : from + 1;
      }
      return engine.steps;
    } catch (error) {
      if (error instanceof TooMany) return most;
      throw error;
    }
  }

  /** Texts that may lead it astray: a start that fits, then a piece of it many times, and an end that does not. */
  attacks(): readonly (readonly [start: string, piece: string, end: string])[] {
    const found = new Map<string, readonly [string, string, string]>();
    const add = (start: string, piece: string, end: string): void => {
      if (piece !== "" && piece.length <= 24) found.set(JSON.stringify([start, piece, end]), [start, piece, end]);
    };
    const samples = [0, 1, 2].map((turn) => new Sampler(this.#flags, turn));
    for (const sampler of samples) {
      for (const { start, of, end } of repeatsIn(this.#part)) {
        const [before, piece, after] = [sampler.all(start), sampler.of(of), sampler.all(end)];
        add(before, piece, "\u0001");
        add("x", piece, "x");
        add("", before + piece, "\u0001");
        add("", before + piece + after.slice(0, -1), "\u0001");
      }
    }
    return [...found.values()];
  }
}

interface Repeat {
  readonly start: readonly Part[];
  readonly of: Part;
  readonly end: readonly Part[];
}

/** Everything in it that may be repeated without a small limit, with what comes before and after. */
function repeatsIn(part: Part, start: readonly Part[] = [], end: readonly Part[] = []): Repeat[] {
  if (part.kind === "all") {
    return part.parts.flatMap((each, at) =>
      repeatsIn(each, [...start, ...part.parts.slice(0, at)], [...part.parts.slice(at + 1), ...end]),
    );
  }
  if (part.kind === "any") return part.parts.flatMap((each) => repeatsIn(each, start, end));
  if (part.kind === "many") {
    const inside = repeatsIn(part.of, start, [part, ...end]);
    return part.max > MANY ? [{ start, of: part.of, end }, ...inside] : inside;
  }
  return part.kind === "group" || part.kind === "look" ? repeatsIn(part.of, start, end) : [];
}

const MANY = 30;

const LETTERS = Array.from(" \n\ta0A-._/:,;([)]{}<>\"'`*|#!?=+@%&$~é中—“•");

/** Makes texts that fit. Each turn takes other choices. */
class Sampler {
  readonly #flags: string;
  readonly #turn: number;

  constructor(flags: string, turn: number) {
    [this.#flags, this.#turn] = [flags.replace(/[gmy]/g, ""), turn];
  }

  all(parts: readonly Part[]): string {
    return parts.map((part) => this.of(part)).join("");
  }

  of(part: Part): string {
    if (part.kind === "set") return this.#letter(part.source);
    if (part.kind === "all") return this.all(part.parts);
    if (part.kind === "any") return this.of(part.parts[this.#turn % part.parts.length] as Part);
    if (part.kind === "group") return this.of(part.of);
    if (part.kind === "many")
      return this.of(part.of).repeat(Math.min(Math.max(part.min, this.#turn % 2), part.max, 40));
    return part.kind === "look" && !part.isNot && !part.isBehind ? this.of(part.of) : "";
  }

  #letter(source: string): string {
    if (source.length === 1) return source;
    const fits = new RegExp(`^(?:${source})$`, this.#flags);
    const letters = LETTERS.filter((letter) => fits.test(letter));
    return letters[(this.#turn * 3) % Math.max(1, letters.length)] ?? "a";
  }
}
