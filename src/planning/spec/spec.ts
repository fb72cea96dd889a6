// A spec as the program sees it: its sections, what it requires, and where each word stands. The text itself
// is never changed.

export interface Section {
  /** `1.2`, by its place among the headings; `0` is what comes before the first heading. */
  readonly id: string;
  readonly title: string;
  /** 0 for what comes before the first heading, otherwise the level of the heading. */
  readonly level: number;
  /** Titles from the outermost heading to this one. */
  readonly path: readonly string[];
  /** Line numbers, from 1: the heading, and the last line before the next heading. */
  readonly from: number;
  readonly to: number;
  /** Offsets into the text: `text.slice(start, end)` is the section without its subsections. */
  readonly start: number;
  readonly end: number;
}

/** Something that the spec asks for: a list item, a sentence with a requirement id, or a paragraph. */
export interface Statement {
  readonly text: string;
  readonly section: string;
  readonly line: number;
  /** Requirement ids in it, such as REQ-3, R1.2 or "Requirement 4". */
  readonly requirements: readonly string[];
  /** Of a task list: `- [x]`. */
  readonly done: boolean;
}

export interface Spec {
  readonly text: string;
  readonly sections: readonly Section[];
  readonly statements: readonly Statement[];
  /** All requirement ids, in the order of the text, each once. */
  readonly requirements: readonly string[];
}

export interface Coverage {
  /** Of all statements, in percent, rounded down: 100 means all. */
  readonly percent: number;
  readonly sections: readonly {
    readonly id: string;
    readonly title: string;
    readonly statements: number;
    readonly covered: number;
    readonly percent: number;
  }[];
  readonly requirements: readonly { readonly id: string; readonly covered: boolean }[];
  readonly uncovered: readonly Statement[];
}
