// The structure of a Markdown text, by a parser of CommonMark with tables and check boxes. Lenient where people are:
// indented text is text, a fence that nothing closes is text, and HTML tags end no list.
//
// A long text is parsed in parts: the time of the parser grows faster than the text.

import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { commentsIn } from "./comments.js";
import type { Range } from "./spec.js";
import { VisibleText } from "./visible-text.js";

/** Marks inside of a text are read from the text itself: to take them apart here would cost time and tell nothing. */
const INSIDE_TEXT = [
  "attention",
  "autolink",
  "characterEscape",
  "characterReference",
  "codeText",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
];

/** Each cell takes kilobytes: what has more columns than anybody reads is text. */
const MAX_COLUMNS = 500;

const hasWideTable = (text: string): boolean =>
  text
    .split(/\r\n|\n|\r/)
    .some((line) => line.length > MAX_COLUMNS && line.split("|", MAX_COLUMNS + 1).length > MAX_COLUMNS);

const parse = (text: string, disabled: readonly string[], hasFrontMatter: boolean): Root =>
  fromMarkdown(text, {
    extensions: [
      gfmTable(),
      gfmTaskListItem(),
      ...(hasFrontMatter ? [frontmatter(["yaml", "toml"])] : []),
      { disable: { null: ["codeIndented", ...(hasWideTable(text) ? ["table"] : []), ...disabled] } },
    ],
    mdastExtensions: [
      gfmTableFromMarkdown(),
      gfmTaskListItemFromMarkdown(),
      ...(hasFrontMatter ? [frontmatterFromMarkdown(["yaml", "toml"])] : []),
    ],
  });

export interface MarkdownTree {
  readonly root: Root;
  readonly visible: VisibleText;
  /** Comments, in order. */
  readonly comments: readonly Range[];
}

export const rangeOf = (node: Nodes): Range => ({
  start: node.position?.start.offset ?? 0,
  end: node.position?.end.offset ?? 0,
});

/** Comments of the page, not those inside of code. */
function commentsOf(source: string, hasFrontMatter: boolean): Range[] {
  if (!source.includes("<!--")) return [];
  const found: Range[] = [];
  eachNode(parse(source, [], hasFrontMatter), (node) => {
    if (node.type !== "html") return;
    const { start, end } = rangeOf(node);
    found.push(...commentsIn(source, start, end));
  });
  return found.sort((a, b) => a.start - b.start);
}

/** Front matter holds keys; a rule at the start of a text does not make one. */
const FRONT_MATTER = /^(?:---[ \t]*(?:\r\n|\n|\r)[ \t]*[\w-]+[ \t]*:|\+\+\+[ \t]*(?:\r\n|\n|\r)[ \t]*[\w.-]+[ \t]*=)/;

const FENCE = /^[ \t]*(`{3,}|~{3,})/;

/** Fences that nothing closes: they would swallow the rest of their block. */
function openFences(text: string, root: Root): Range[] {
  const open: Range[] = [];
  eachNode(root, (node) => {
    if (node.type !== "code") return;
    const { start, end } = rangeOf(node);
    const block = text.slice(start, end);
    const mark = FENCE.exec(block)?.[1];
    const last = /(?<![>\s])(?=[>\s]*?[\r\n])[>\s]+([`~]{3,})[ \t]*$/.exec(block)?.[1];
    if (mark !== undefined && !(last?.startsWith(mark) === true)) open.push({ start, end: start + mark.length });
  });
  return open;
}

const MAX_OPEN_FENCES = 5;

/** Without the marks of these fences; nothing moves. */
const asText = (text: string, fences: readonly Range[]): string =>
  fences.reduce((now, { start, end }) => now.slice(0, start) + "x".repeat(end - start) + now.slice(end), text);

const lastStart = ({ children }: Root): number => (children.at(-1) ? rangeOf(children.at(-1) as Nodes).start : 0);

/** Bare marks of fences that stay open are text too, as soon as one was: nothing after it closes anything. */
function treeOf(text: string, hasFrontMatter: boolean): Root {
  const disabled = [...INSIDE_TEXT, "htmlFlow"];
  const afterFrontMatter = hasFrontMatter ? text.search(/(?:\r\n|\n|\r)(?:---|\+\+\+)[ \t]*(?:[\r\n]|$)/) : 0;
  const parseAll = (all: string): Root =>
    afterFrontMatter === -1
      ? parse(all, disabled, hasFrontMatter)
      : parseInParts(
          all,
          afterFrontMatter,
          (part, isFirst) => parse(part, disabled, hasFrontMatter && isFirst),
          (part, root) => openFences(part, root).some(({ start }) => start >= lastStart(root)),
        );
  let readable = text;
  let root = parseAll(readable);
  for (let round = 0; round < MAX_OPEN_FENCES; round++) {
    const open = openFences(readable, root);
    if (open.length === 0) break;
    readable = asText(readable, open);
    root = parseAll(readable);
  }
  return root;
}

export function readMarkdown(source: string): MarkdownTree {
  const mark = source.startsWith("\uFEFF") ? 1 : 0;
  const hasFrontMatter = FRONT_MATTER.test(source.slice(mark, mark + 500));
  const comments = commentsOf(mark === 1 ? ` ${source.slice(1)}` : source, hasFrontMatter && mark === 0);
  const cuts = [
    ...(mark === 1 ? [{ start: 0, end: 1 }] : []),
    ...comments.map((comment) => wholeLines(source, comment)),
    ...deepIndents(source),
    ...deepMarks(source),
  ].sort((a, b) => a.start - b.start);
  const visible = new VisibleText(source, cuts);
  return { root: treeOf(visible.text, hasFrontMatter), visible, comments };
}

/** Lists deeper than this are read as if they stood here: nobody nests deeper on purpose. */
const DEEPEST_INDENT = 48;

const LINE_END = /\r\n|\n|\r/y;

/** A comment that fills its lines goes with them, so that the paragraph around it stays one. */
function wholeLines(source: string, { start, end }: Range): Range {
  let from = start;
  while (from > 0 && /[ \t]/.test(source[from - 1] as string)) from--;
  const startsLine = from === 0 || /[\r\n]/.test(source[from - 1] as string);
  let to = end;
  while (to < source.length && /[ \t]/.test(source[to] as string)) to++;
  if (!startsLine) return { start, end };
  if (to >= source.length) return { start: from, end: to };
  LINE_END.lastIndex = to;
  const lineEnd = LINE_END.exec(source);
  return lineEnd === null ? { start, end } : { start: from, end: to + lineEnd[0].length };
}

/** White space at the start of a line beyond the deepest list. */
function deepIndents(source: string): Range[] {
  return Array.from(source.matchAll(/(?<=^|[\r\n])[ \t]{49,}/g), ({ index, 0: run }) => ({
    start: index + DEEPEST_INDENT,
    end: index + run.length,
  }));
}

/** A mark of a quote or of a list item. */
const MARK = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))/y;

/** No spec needs blocks nested deeper than this. The parser calls itself for each level. */
const MOST_MARKS = 40;

/** Marks at the start of a line beyond that. */
function deepMarks(source: string): Range[] {
  const found: Range[] = [];
  for (const { index } of source.matchAll(/(?<=^|[\r\n])(?=[ \t]*[>\-*+\d])/g)) {
    let [marks, start, end] = [0, index, index];
    for (MARK.lastIndex = index; MARK.test(source); marks++) {
      end = MARK.lastIndex;
      if (marks < MOST_MARKS) start = end;
    }
    if (end > start) found.push({ start, end });
  }
  return found;
}

const SHORT = 10_000;
const PART = 6_000;

const LINE = /([^\r\n]*)(?:\r\n|\n|\r|$)/g;
const HEADING = /^#{1,6}[ \t]/;
/** No mark of a block. */
const PLAIN = /^(?!\d{1,9}[.)])[^\s>|`~#=*+<:-]/;

/** No spec needs longer paragraphs. Inside a quote, the parser's time grows with the square of their lines. */
const LONGEST_PARAGRAPH = 200;

/**
 * Where parts may begin, one for about every `PART` characters: at a heading, at a paragraph that is in no list, and inside of one that
 * never ends.
 */
function bordersOf(text: string, from: number): number[] {
  const borders: number[] = [];
  let [last, plainLines, isAfterBlank] = [0, 0, true];
  for (const { index, 1: line = "" } of text.matchAll(LINE)) {
    const isPlain = PLAIN.test(line);
    plainLines = isPlain ? plainLines + 1 : 0;
    const mayBegin = HEADING.test(line) || (isPlain && (isAfterBlank || plainLines > LONGEST_PARAGRAPH));
    isAfterBlank = line.trim() === "";
    if (!mayBegin || index < from || index - last < PART) continue;
    borders.push(index);
    [last, plainLines] = [index, 0];
  }
  return borders;
}

export function eachNode(root: Nodes, see: (node: Nodes) => void): void {
  const open: Nodes[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    see(next);
    if ("children" in next) open.push(...next.children);
  }
}

const move = (root: Root, by: number): void =>
  eachNode(root, ({ position }) => {
    if (position?.start.offset !== undefined) position.start.offset += by;
    if (position?.end.offset !== undefined) position.end.offset += by;
  });

/**
 * `parse` gets a part and whether it is the first. `staysOpen` says whether a fence is open at the end of what was parsed:
 * then the heading after it may be code, and the next part is parsed with it. Offsets are right; lines and columns are not.
 */
export function parseInParts(
  text: string,
  from: number,
  parse: (part: string, isFirst: boolean) => Root,
  staysOpen: (part: string, root: Root) => boolean,
): Root {
  const borders = text.length < SHORT ? [] : bordersOf(text, from);
  const whole: Root = { type: "root", children: [] };
  let start = 0;
  let room = 1;
  for (let at = 0; at <= borders.length; at++) {
    const end = borders[at] ?? text.length;
    if (at < borders.length && room > 1) {
      room--;
      continue;
    }
    // The line end before a heading belongs to no block.
    const part = text.slice(start, end).replace(at < borders.length ? /(?:\r\n|\n|\r)$/ : /$^/, "");
    const root = parse(part, start === 0);
    if (at < borders.length && staysOpen(part, root)) {
      // Each try takes in twice as much, so that a fence that nothing closes costs no more than the text twice.
      room = 2 * Math.max(1, Math.round((end - start) / PART));
      continue;
    }
    if (start > 0) move(root, start);
    whole.children.push(...root.children);
    start = end;
    room = 1;
  }
  return whole;
}
