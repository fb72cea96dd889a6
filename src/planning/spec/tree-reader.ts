// Walks the tree of a Markdown text: what is a section, what is a statement, and where each stands in the source.

import type { Blockquote, Code, Heading, List, ListItem, Nodes, Paragraph, Root, Table } from "mdast";
import { collapse, hasLetters } from "./cues.js";
import {
  BEGINS_ITEM,
  cellsOf,
  emptyBox,
  headingLine,
  isDecoration,
  isListInFence,
  isPlainHeading,
  lineNumber,
  piecesOf,
  pseudoMark,
  type RawSection,
  Sections,
} from "./list-marks.js";
import { type MarkdownTree, rangeOf } from "./markdown.js";
import { statedRequirements } from "./requirement-ids.js";
import { countUpTo, type Fence, lineStartsOf, type Range, type SpecStatement } from "./spec.js";

/** A statement before it is known which ids it states and whether it is done. */
export type RawStatement = Omit<SpecStatement, "done" | "requirements"> & { readonly isTicked: boolean };

/** What a node is in: the open items, outermost first, with their places among the statements. */
interface Around {
  readonly items: readonly (number | undefined)[];
  readonly lead?: number | undefined;
  readonly number?: number;
  readonly box?: boolean | null | undefined;
  readonly isInQuote: boolean;
}

/** Lines that belong together, until one begins something else. */
interface OpenBlock extends Range {
  readonly isItem: boolean;
  readonly box: boolean | null;
  readonly number?: number | undefined;
}

/** A line of a block, as a reader sees it, with its place. */
interface TextLine extends Range {
  readonly line: string;
}

/** Lines "5. …", "6. …" below a line of text: Markdown takes only a list from 1 for one there. By their starts. */
function numberedLines(lines: readonly TextLine[]): Map<number, number> {
  const found = lines.flatMap(({ start, line }) => {
    const number = lineNumber(line)?.number;
    return number === undefined ? [] : [{ start, number }];
  });
  const isList = found.every(({ number }, at) => at === 0 || number === (found[at - 1]?.number ?? 0) + 1);
  const isFirst = found[0] !== undefined && found[0].start === lines[0]?.start;
  return new Map(isList && (isFirst || found.length > 1) ? found.map(({ start, number }) => [start, number]) : []);
}

const QUOTE_MARKS = /^(?:[ \t]*>)+[ \t]?/;
const MAX_HEADING_LENGTH = 200;
/** The level of a section that a line of text opens, bold or alone. */
const BOLD_LINE = 7;

/** Of ranges in order, found by halving: a quoted document of 12,000 lines is read in half the time. */
const overlapping = (ranges: readonly Range[], start: number, end: number): Range[] =>
  ranges.slice(
    countUpTo(ranges, start, (range) => range.end),
    countUpTo(ranges, end - 1, (range) => range.start),
  );

export class TreeReader {
  readonly found: RawStatement[] = [];
  readonly fences: Fence[] = [];
  readonly rules: number[] = [];
  readonly #sections = new Sections();
  readonly #source: string;
  readonly #tree: MarkdownTree;
  readonly #lineStarts: readonly number[];
  /** No heading is marked: short lines above lists are headings. */
  readonly #isPlain: boolean;
  /** Marks of block quotes, in order. */
  readonly #marks: Range[] = [];
  frontMatter = "";
  /** A paragraph that ends with a colon or a comma leads into the list that comes next. */
  #lead: number | undefined;

  constructor(source: string, tree: MarkdownTree) {
    this.#source = source;
    this.#tree = tree;
    this.#isPlain = tree.root.children.every(({ type }) => type !== "heading");
    this.#lineStarts = lineStartsOf(source);
    this.#walk(tree.root.children, { items: [], isInQuote: false });
  }

  finish(): RawSection[] {
    return this.#sections.finish(this.#lineStarts.length, this.#source.length);
  }

  get hidden(): Range[] {
    const inOrder = [...this.#tree.comments, ...this.#marks].sort((a, b) => a.start - b.start);
    return inOrder.filter(({ start }, at) => start >= (inOrder[at - 1]?.end ?? 0));
  }

  #range(node: Nodes): Range {
    const { start, end } = rangeOf(node);
    return { start: this.#tree.visible.source(start), end: this.#tree.visible.sourceEnd(end) };
  }

  #line(offset: number): number {
    return countUpTo(this.#lineStarts, offset, (start) => start);
  }

  #lineStart(offset: number): number {
    return this.#lineStarts[this.#line(offset) - 1] as number;
  }

  #walk(nodes: Root["children"], around: Around): void {
    for (const [at, node] of nodes.entries()) {
      if (node.type === "paragraph" && this.#isList(nodes[at + 1]) && this.#isPlainHeading(node, around))
        this.#open(BOLD_LINE, this.#seen(this.#range(node)), this.#range(node).start);
      else if (node.type === "heading") this.#heading(node, around);
      else if (node.type === "paragraph") this.#paragraph(node, around);
      else if (node.type === "list") this.#list(node, around);
      else if (node.type === "blockquote") this.#quote(node, around);
      else if (node.type === "table") this.#table(node, around);
      else if (node.type === "code") this.#fence(node, around);
      else if (node.type === "thematicBreak") this.rules.push(this.#range(node).start);
      else if (node.type === "yaml" || "value" in node) this.frontMatter = node.value;
    }
  }

  #isList(node: Nodes | undefined): boolean {
    if (node?.type !== "paragraph") return node?.type === "list";
    return pseudoMark(this.#linesOf(this.#range(node))[0]?.line ?? "") !== undefined;
  }

  /** "Not doing", on a line of its own above a list, in notes that mark no headings. */
  #isPlainHeading(node: Paragraph, { items, isInQuote }: Around): boolean {
    const range = this.#range(node);
    const isLine = !/[\r\n]/.test(this.#source.slice(range.start, range.end).trim());
    return isLine && items.length === 0 && !isInQuote && this.#isPlain && isPlainHeading(this.#seen(range));
  }

  #heading(node: Heading, around: Around): void {
    const { start, end } = this.#range(node);
    const isUnderlined = !this.#source.slice(start, end).trimStart().startsWith("#");
    const first = node.children[0];
    const last = node.children.at(-1);
    const words = first && last ? { start: this.#range(first).start, end: this.#range(last).end } : { start: end, end };
    const raw = this.#source.slice(words.start, words.end);
    const isText = around.items.length > 0 || (isUnderlined && (/[\r\n]/.test(raw) || raw.length > MAX_HEADING_LENGTH));
    if (isText) this.#statements(words, around);
    else this.#open(node.depth, this.#seen(words), start);
  }

  #open(level: number, title: string, start: number): void {
    this.#lead = undefined;
    this.#sections.open(level, title, this.#line(start), this.#lineStart(start));
  }

  /** The marks of a quote inside of another one are found with those of the outer one. */
  #quote(node: Blockquote, around: Around): void {
    const { start, end } = this.#range(node);
    for (let from = start; !around.isInQuote && from < end; from = this.#lineStarts[this.#line(from)] ?? end) {
      const marks = QUOTE_MARKS.exec(this.#source.slice(from, Math.min(end, from + 500)));
      if (marks !== null) this.#marks.push({ start: from, end: from + marks[0].length });
    }
    this.#walk(node.children, { ...around, isInQuote: true });
  }

  #list(node: List, around: Around): void {
    const lead = around.items.length === 0 ? this.#lead : undefined;
    const start = node.start ?? 1;
    for (const [index, item] of node.children.entries()) {
      this.#item(item, { ...around, lead, ...(node.ordered === true ? { number: start + index } : {}) });
    }
  }

  #item(node: ListItem, around: Around): void {
    const [first, ...others] = node.children;
    const before = this.found.length;
    if (first?.type === "paragraph" || first?.type === "heading") {
      const words = first.type === "paragraph" ? this.#range(first) : this.#range(first.children[0] ?? first);
      const mark = node.checked === null ? emptyBox(this.#source.slice(words.start, words.end)) : undefined;
      const box = mark === undefined ? (node.checked ?? null) : false;
      const start = words.start + (mark?.length ?? 0);
      this.#statements({ ...words, start }, { ...around, box, items: [...around.items, undefined] });
    } else if (first !== undefined) others.unshift(first);
    const place = this.found.length > before ? this.found.length - 1 : undefined;
    this.#walk(others, { items: [...around.items, place], isInQuote: around.isInQuote });
  }

  #paragraph(node: Paragraph, around: Around): void {
    const range = this.#range(node);
    const text = this.#seen(range);
    const bold = /[\r\n]/.test(this.#source.slice(range.start, range.end).trim()) ? undefined : headingLine(text);
    if (bold !== undefined && around.items.length === 0 && statedRequirements(bold).length === 0) {
      return this.#open(BOLD_LINE, bold, range.start);
    }
    const rest = around.items.length === 0 ? this.#afterHeadingLine(range) : range;
    this.#statements(rest, around);
    const isLead = around.items.length === 0 && /[:,]$/.test(text) && hasLetters(text);
    this.#lead = isLead ? this.found.length - 1 : undefined;
  }

  /** What stands below a first line that names it. */
  #afterHeadingLine({ start, end }: Range): Range {
    const next = this.#lineStarts[this.#line(start)] ?? end;
    const first = this.#seen({ start, end: next });
    const second = this.#visible(next, Math.min(end, this.#lineStarts[this.#line(next)] ?? end)).trim();
    const isPlain = this.#isPlain && pseudoMark(second) !== undefined && isPlainHeading(first);
    const name = next >= end ? undefined : isPlain ? first : headingLine(first);
    if (name === undefined || statedRequirements(name).length > 0) return { start, end };
    this.#open(BOLD_LINE, name, start);
    return { start: next, end };
  }

  /** What a reader of the page sees of a range, on one line. */
  #seen({ start, end }: Range): string {
    return collapse(this.#visible(start, end));
  }

  #visible(start: number, end: number): string {
    let seen = "";
    let at = start;
    for (const hidden of this.#hiddenIn(start, end)) {
      seen += this.#source.slice(at, Math.max(at, hidden.start));
      at = Math.max(at, hidden.end);
    }
    return seen + this.#source.slice(at, Math.max(at, end));
  }

  #hiddenIn(start: number, end: number): readonly Range[] {
    const found = [this.#tree.comments, this.#marks].flatMap((ranges) => overlapping(ranges, start, end));
    return found.sort((a, b) => a.start - b.start);
  }

  /** The lines of a block: those that begin with a mark which Markdown does not know are items. */
  #statements(range: Range, around: Around): void {
    const isItem = around.items.length > 0 && around.box !== undefined;
    let open: OpenBlock = { ...range, end: range.start, isItem, box: around.box ?? null, number: around.number };
    const close = (): void => {
      if (open.end > open.start) this.#block(open, around);
    };
    const lines = this.#linesOf(range);
    const numbered = isItem ? new Map<number, number>() : numberedLines(lines);
    for (const { start, end, line } of lines) {
      const mark = start === range.start && isItem ? undefined : pseudoMark(line);
      const number = numbered.get(start);
      if (number !== undefined) {
        close();
        const skip = (this.#source.slice(start, end).indexOf(line) || 0) + (lineNumber(line)?.mark.length ?? 0);
        open = { start: start + Math.max(0, skip), end, isItem: true, box: null, number };
      } else if (mark !== undefined) {
        close();
        const skip = this.#source.slice(start, end).indexOf(mark.rest);
        open = { start: skip < 0 ? start : start + skip, end, isItem: true, box: mark.checkbox ? mark.done : null };
      } else if (isDecoration(line) && line !== "") {
        close();
        open = { start: end, end, isItem: false, box: null };
      } else open = { ...open, end };
    }
    close();
  }

  #linesOf(range: Range): TextLine[] {
    const lines: TextLine[] = [];
    for (let start = range.start; start < range.end; ) {
      const end = Math.min(range.end, this.#lineStarts[this.#line(start)] ?? range.end);
      lines.push({ start, end, line: this.#visible(start, end).trim() });
      start = end;
    }
    return lines;
  }

  #block({ start, end, isItem, box, number }: OpenBlock, around: Around): void {
    const raw = this.#source.slice(start, end);
    const trimmed = end - (raw.length - raw.trimEnd().length);
    const isWhole = isItem || this.#hiddenIn(start, end).length > 0;
    const pieces = isWhole ? [] : piecesOf(this.#source.slice(start, trimmed));
    if (pieces.length < 2) {
      const numbered = number === undefined || !isItem ? {} : { number };
      this.#push({ kind: isItem ? "item" : "paragraph", start, end: trimmed, ...numbered }, around, box);
    } else {
      for (const piece of pieces) {
        const range = { start: start + piece.start, end: start + piece.end };
        this.#push({ kind: "sentence", ...range, block: start }, around);
      }
    }
  }

  #push(
    statement: Pick<RawStatement, "kind"> & Range & Partial<RawStatement>,
    { items, lead }: Around,
    box: boolean | null = null,
  ): void {
    const raw = this.#source.slice(statement.start, statement.end);
    const start = statement.start + (raw.length - raw.trimStart().length);
    const end = statement.end - (raw.length - raw.trimEnd().length);
    const text = statement.text ?? this.#seen({ start, end });
    if (!hasLetters(text)) return;
    const isItem = statement.kind === "item";
    const inside = isItem ? items.slice(0, -1) : items;
    const parent = inside.findLast((place) => place !== undefined);
    const led = isItem ? lead : statement.kind === "row" ? this.#lead : undefined;
    this.found.push({
      ...statement,
      text,
      start,
      end,
      line: this.#line(start),
      checkbox: box !== null,
      isTicked: box === true,
      section: this.#sections.current,
      depth: Math.max(0, items.length - 1),
      ...(parent === undefined ? {} : { parent }),
      ...(led === undefined ? {} : { lead: led }),
    });
  }

  /** Each line is an item; where scenarios go over lines, each paragraph is. */
  #listInFence(node: Code, around: Around): void {
    const { start, end } = this.#range(node);
    const lines = this.#linesOf({ start, end }).slice(1);
    const items = lines.filter(({ line }) => BEGINS_ITEM.test(line));
    const isEach = items.length * 2 > lines.filter(({ line }) => line !== "").length;
    let open: OpenBlock | undefined;
    const close = (): void => {
      if (open !== undefined) this.#block(open, { ...around, items: [...around.items, undefined] });
      open = undefined;
    };
    for (const { start: from, end: to, line } of lines) {
      const isBorder = line === "" || /^(?:`{3,}|~{3,})$/.test(line);
      if (isBorder || isEach) close();
      if (!isBorder) open = { start: open?.start ?? from, end: to, isItem: true, box: null };
    }
    close();
  }

  #table(node: Table, around: Around): void {
    const [head, ...rows] = node.children;
    if (head === undefined) return;
    const lineOf = (row: Nodes): string =>
      this.#seen(this.#range(row))
        .replace(/^\|\s*/, "")
        .replace(/(?<!\s)\s*\|$/, "");
    const columns = cellsOf(lineOf(head));
    for (const row of rows) {
      const text = lineOf(row);
      this.#push({ kind: "row", text, ...this.#range(row), cells: cellsOf(text), columns }, around);
    }
  }

  #fence(node: Code, around: Around): void {
    if (isListInFence(node)) return this.#listInFence(node, around);
    const after = this.found.length - 1;
    const isHere = this.found[after]?.section === this.#sections.current;
    const range = this.#range(node);
    this.fences.push({
      ...range,
      text: collapse(node.value),
      requirements: [],
      language: /^[{.]*([\w+#-]*)/.exec(node.lang ?? "")?.[1]?.toLowerCase() ?? "",
      code: node.value,
      isWork: `${node.lang ?? ""} ${node.meta ?? ""}`.split(/\s+/).includes("run"),
      section: this.#sections.current,
      line: this.#line(range.start),
      ...(isHere ? { after } : {}),
      inItem: around.items.length > 0 && isHere,
    });
  }
}
