// The lines of a spec, without what a reader does not see: front matter, comments, marks of block quotes; and
// the fenced blocks, set apart. One pass, linear in the length of the text.

import type { Range } from "./spec.js";

export interface Line {
  readonly kind: "text";
  readonly number: number;
  readonly start: number;
  /** Before the line end. */
  readonly end: number;
  /** What a reader sees of it, without leading and trailing white space. */
  readonly content: string;
  /** Columns before the content; a tab goes to the next multiple of four. */
  readonly indent: number;
}

export interface FenceLine {
  readonly kind: "fence";
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly indent: number;
  readonly language: string;
  readonly code: string;
}

export interface Lines {
  readonly lines: readonly (Line | FenceLine)[];
  readonly hidden: readonly Range[];
  readonly title: string | undefined;
}

interface RawLine {
  readonly start: number;
  readonly end: number;
}

interface FenceMark {
  readonly sign: string;
  readonly length: number;
  readonly info: string;
}

const QUOTE_MARKS = /^(?: {0,3}>)+ ?/;
const FENCE = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})(.*)$/;

function rawLines(text: string): RawLine[] {
  const separator = text.includes("\n") ? "\n" : "\r";
  const lines: RawLine[] = [];
  let start = 0;
  for (;;) {
    const next = text.indexOf(separator, start);
    const end = next === -1 ? text.length : next;
    lines.push({ start, end: end > start && text[end - 1] === "\r" ? end - 1 : end });
    if (next === -1) return lines;
    start = next + 1;
  }
}

function fenceMark(content: string): FenceMark | undefined {
  const match = FENCE.exec(content);
  if (match === null) return undefined;
  const [, run = "", info = ""] = match;
  const sign = run[0] as string;
  return sign === "`" && info.includes("`") ? undefined : { sign, length: run.length, info: info.trim() };
}

const withoutQuoteMarks = (text: string): string => (text.includes(">") ? text.replace(QUOTE_MARKS, "") : text);

/** For each line that looks like a fence, the longest bare fence of each sign that comes after it: one that nothing closes is text. */
function longestClosers(text: string, raw: readonly RawLine[]): Map<number, Record<string, number>> {
  const closers = new Map<number, Record<string, number>>();
  let longest: Record<string, number> = {};
  for (let index = raw.length - 1; index >= 0; index--) {
    const { start, end } = raw[index] as RawLine;
    const head = text.slice(start, Math.min(end, start + 200));
    if (!/```|~~~/.test(head)) continue;
    closers.set(index, longest);
    const mark = fenceMark(withoutQuoteMarks(text.slice(start, end)));
    if (mark?.info === "" && mark.length > (longest[mark.sign] ?? 0))
      longest = { ...longest, [mark.sign]: mark.length };
  }
  return closers;
}

function indentOf(text: string): number {
  let columns = 0;
  for (const sign of text) {
    if (sign === " ") columns += 1;
    else if (sign === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** The first line after the front matter, and the title that it names. */
function frontMatter(
  text: string,
  raw: readonly RawLine[],
  first: number,
): { next: number; title: string | undefined } {
  const at = (index: number): string => text.slice(raw[index]?.start, raw[index]?.end).trimEnd();
  const opening = text.slice(first, raw[0]?.end).trimEnd();
  const none = { next: 0, title: undefined };
  if ((opening !== "---" && opening !== "+++") || !/^[\w#"'-][^:=]{0,80}[:=]/.test(at(1))) return none;
  for (let index = 1; index < raw.length; index++) {
    const line = at(index);
    if (line !== opening && !(opening === "---" && line === "...")) continue;
    const titles = raw.slice(1, index).map((_, offset) => /^title\s*[:=]\s*(.{1,300})$/i.exec(at(offset + 1))?.[1]);
    const title = titles.find((found) => found !== undefined)?.replace(/^["']|["']$/g, "");
    return { next: index + 1, title };
  }
  return none;
}

class Scanner {
  readonly lines: (Line | FenceLine)[] = [];
  readonly hidden: Range[] = [];
  readonly #text: string;
  readonly #raw: readonly RawLine[];
  readonly #closers: Map<number, Record<string, number>>;
  readonly #lastCommentEnd: number;
  #inComment = false;

  constructor(text: string, raw: readonly RawLine[]) {
    this.#text = text;
    this.#raw = raw;
    this.#closers = longestClosers(text, raw);
    this.#lastCommentEnd = text.lastIndexOf("-->");
  }

  scan(from: number): void {
    for (let index = from; index < this.#raw.length; index++) {
      const { start, end } = this.#raw[index] as RawLine;
      const closed = this.#inComment ? undefined : this.#fenceFrom(index, start);
      if (closed === undefined) this.#textLine(index, start, end);
      else index = closed;
    }
  }

  /** Takes a whole fenced block; answers with the line of its end. */
  #fenceFrom(index: number, start: number): number | undefined {
    const closers = this.#closers.get(index);
    if (closers === undefined) return undefined;
    const end = (this.#raw[index] as RawLine).end;
    const opening = withoutQuoteMarks(this.#text.slice(start, end));
    const mark = fenceMark(opening);
    if (mark === undefined || (closers[mark.sign] ?? 0) < mark.length) return undefined;
    const code: string[] = [];
    for (let at = index + 1; at < this.#raw.length; at++) {
      const line = this.#raw[at] as RawLine;
      const content = withoutQuoteMarks(this.#text.slice(line.start, line.end));
      const closing = this.#closers.has(at) ? fenceMark(content) : undefined;
      if (closing?.sign === mark.sign && closing.length >= mark.length && closing.info === "") {
        const language = /^[{.]*([\w+#-]*)/.exec(mark.info)?.[1]?.toLowerCase() ?? "";
        const place = { kind: "fence", number: index + 1, start, end: line.end, indent: indentOf(opening) } as const;
        this.lines.push({ ...place, language, code: code.join("\n") });
        return at;
      }
      code.push(content);
    }
    return undefined;
  }

  #textLine(index: number, start: number, end: number): void {
    const raw = this.#text.slice(start, end);
    const marks = this.#inComment ? null : QUOTE_MARKS.exec(raw);
    if (marks !== null) this.hidden.push({ start, end: start + marks[0].length });
    const visibleFrom = start + (marks?.[0].length ?? 0);
    const visible = this.#withoutComments(visibleFrom, end);
    const content = visible.trim();
    // A line that holds only a comment does not end the paragraph around it.
    if (content === "" && raw.trim() !== "" && marks === null) return;
    this.lines.push({ kind: "text", number: index + 1, start, end, content, indent: indentOf(visible) });
  }

  #withoutComments(start: number, end: number): string {
    const text = this.#text;
    if (!this.#inComment && !text.slice(start, end).includes("<!--")) return text.slice(start, end);
    let visible = "";
    let at = start;
    while (at < end) {
      if (this.#inComment) {
        const close = text.slice(at, end).indexOf("-->");
        const stop = close === -1 ? end : at + close + 3;
        this.#inComment = close === -1;
        this.hidden.push({ start: at, end: stop });
        at = stop;
        continue;
      }
      const open = text.slice(at, end).indexOf("<!--");
      const opens = open !== -1 && this.#lastCommentEnd >= at + open + 4;
      visible += text.slice(at, opens ? at + open : end);
      at = opens ? at + open : end;
      this.#inComment = opens;
      if (opens) {
        this.hidden.push({ start: at, end: at + 4 });
        at += 4;
      }
    }
    return visible;
  }
}

export function markdownLines(text: string): Lines {
  const raw = rawLines(text);
  // A byte order mark needs no care but here: it is white space to `trim` and to `\s`.
  const { next, title } = frontMatter(text, raw, text.startsWith("\uFEFF") ? 1 : 0);
  const scanner = new Scanner(text, raw);
  scanner.scan(next);
  return { lines: scanner.lines, hidden: scanner.hidden, title };
}
