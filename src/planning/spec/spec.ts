// A spec as the program sees it: its sections, what it requires, and where each word stands. The text itself
// is never changed.

export interface Section {
  /** `1.2`, by its place among the headings; `0` is what comes before the first heading. */
  readonly id: string;
  readonly title: string;
  /** 0 for what comes before the first heading, otherwise the level of the heading; 7 for a line that is all bold. */
  readonly level: number;
  /** Titles from the outermost heading to this one. */
  readonly path: readonly string[];
  /** Line numbers, from 1: the heading, and the last line before the next heading. */
  readonly from: number;
  readonly to: number;
  /** Offsets into the text: `text.slice(start, end)` is the section without its subsections. */
  readonly start: number;
  readonly end: number;
  /** Requirement ids in the heading; if it has none, those of the heading that it is below. */
  readonly requirements: readonly string[];
}

/** Something that the spec asks for: a list item, a sentence with a requirement id, a row of a table, or a paragraph. */
export interface SpecStatement {
  /** On one line, without its list mark or check box; other marks are kept. */
  readonly text: string;
  readonly section: string;
  readonly line: number;
  /** Requirement ids that it states, such as REQ-3, R1.2 or "Requirement 4"; if it has none, those of its heading. */
  readonly requirements: readonly string[];
  /** `- [x]`, ✅, (done), struck through, or a column of status that says so. */
  readonly done: boolean;
  readonly kind: "item" | "row" | "sentence" | "paragraph";
  /** Offsets into the text; statements are in order and never overlap. */
  readonly start: number;
  readonly end: number;
  /** Where the paragraph of a sentence starts. */
  readonly block?: number;
  /** How deep in lists: 0 for a top item and for what is in no list. */
  readonly depth: number;
  /** The item that this one is in: its place among the statements. */
  readonly parent?: number;
  /** The paragraph that leads into this list (`It can:`): its place among the statements. */
  readonly lead?: number;
  /** Its number in a numbered list. */
  readonly number?: number;
  readonly checkbox: boolean;
  /** The cells of a table row; `columns` are the cells of the table's head. */
  readonly cells?: readonly string[];
  readonly columns?: readonly string[];
}

/** What a reader of the spec is pointed to. */
export type SpecLine = Pick<SpecStatement, "text" | "section" | "line" | "requirements">;

/** A fenced block: commands, examples. Nothing in it is a heading, a list or a requirement. */
export interface Fence extends SpecLine, Range {
  /** The first word after the fence, in lower case: `sh`; empty if there is none. */
  readonly language: string;
  readonly code: string;
  /** "```sh run": commands that a worker runs as the work itself. They prove nothing. */
  readonly isWork: boolean;
  /** The statement just before it in the same section: its place among the statements. */
  readonly after?: number;
  /** Whether it is indented into a list item. */
  readonly inItem: boolean;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where each line of the text begins, whatever ends the lines. */
export const lineStartsOf = (text: string): number[] => [
  0,
  ...Array.from(text.matchAll(/\r\n|\n|\r/g), ({ index, 0: end }) => index + end.length),
];

/** How many entries are not after the value: they are in order. */
export function countUpTo<T>(entries: readonly T[], value: number, of: (entry: T) => number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(entries[middle] as T) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface Spec {
  readonly text: string;
  /** The title that the front matter names. */
  readonly title: string | undefined;
  /** What the front matter calls the state of the document: "implemented". */
  readonly status: string | undefined;
  readonly sections: readonly Section[];
  readonly statements: readonly SpecStatement[];
  /** All requirement ids, in the order of the text, each once. */
  readonly requirements: readonly string[];
  /** The letters of the ids that this spec gives to its items: U, US, AC. */
  readonly idPrefixes: readonly string[];
  readonly fences: readonly Fence[];
  /** Offsets of the lines that are a rule (`---`). */
  readonly rules: readonly number[];
  /** What a reader of the page does not see: comments, the marks of block quotes. In order. */
  readonly hidden: readonly Range[];
}
