// Reads any Markdown or plain text as a spec. It follows CommonMark where a person would see the difference, and is
// lenient where people are: indented text is text, a fence that nothing closes is text, a bold line is a heading.

import { collapse, hasLetters } from "./collapse.js";
import { type FenceLine, type Line, markdownLines } from "./lines.js";
import {
  atxHeading,
  boldHeading,
  cellsOf,
  isDecoration,
  isRule,
  isTableRule,
  type ListMark,
  listMark,
  setextLevel,
} from "./list-marks.js";
import { leadingRequirements, statedRequirements } from "./requirement-ids.js";
import { Sections } from "./sections.js";
import { requirementSentences } from "./sentences.js";
import type { Fence, Section, Spec, SpecStatement } from "./spec.js";

interface Block {
  readonly kind: "item" | "paragraph";
  readonly line: number;
  readonly start: number;
  end: number;
  readonly parts: string[];
  readonly mark?: ListMark;
}

interface OpenItem {
  readonly indent: number;
  /** Its place among the statements, once it is one. */
  statement: number | undefined;
  readonly lead: number | undefined;
}

/** Items further in are taken as if they stood here: no person nests deeper. */
const MAX_DEPTH = 20;

class Reader {
  readonly statements: SpecStatement[] = [];
  readonly fences: Fence[] = [];
  readonly sections = new Sections();
  readonly headingIds: { readonly id: string; readonly before: number }[] = [];
  /** The items that the current line is in, outermost first. */
  readonly #items: OpenItem[] = [];
  readonly #source: string;
  #block: Block | undefined;
  /** A paragraph that ends with a colon leads into the list that comes next. */
  #lead: number | undefined;
  #columns: readonly string[] | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  read(lines: readonly (Line | FenceLine)[]): void {
    for (const [index, line] of lines.entries()) {
      if (line.kind === "fence") this.#fence(line);
      else if (this.#isTableLine(line, lines[index + 1])) continue;
      else this.#text(line);
    }
    this.#closeBlock();
  }

  #text(line: Line): void {
    const { content } = line;
    if (content === "") return this.#closeBlock();
    const heading = line.indent < 4 ? atxHeading(content) : undefined;
    if (heading !== undefined) return this.#heading(heading.level, heading.title, line.number, line.start);
    if (this.#takeUnderline(content)) return;
    if (isRule(content) || isDecoration(content)) return this.#closeBlock();
    const mark = listMark(content);
    if (mark !== undefined && this.#startsItem(mark)) return this.#item(line, mark);
    if (this.#block !== undefined) {
      this.#block.parts.push(content);
      this.#block.end = line.end;
      return;
    }
    this.#leaveItems(line.indent - 1);
    this.#block = { kind: "paragraph", line: line.number, start: line.start, end: line.end, parts: [content] };
  }

  #heading(level: number, title: string, line: number, start: number): void {
    this.#closeBlock();
    this.#leaveItems(-1);
    this.#lead = undefined;
    this.sections.open(level, title, line, start);
    for (const id of this.sections.current.requirements) this.headingIds.push({ id, before: this.statements.length });
  }

  /** `===` or `---` below a paragraph of one line outside of lists. */
  #takeUnderline(content: string): boolean {
    const block = this.#block;
    const level = setextLevel(content);
    if (level === undefined || block?.kind !== "paragraph" || block.parts.length > 1 || this.#items.length > 0)
      return false;
    const title = block.parts[0] as string;
    if (title.length > 200) return false;
    this.#block = undefined;
    this.#heading(level, title, block.line, block.start);
    return true;
  }

  /** A number inside of a paragraph starts a list only if it is 1: "in\n1998. It was" does not. */
  #startsItem({ number }: ListMark): boolean {
    return this.#block?.kind !== "paragraph" || number === undefined || number === 1 || this.#items.length > 0;
  }

  #item(line: Line, mark: ListMark): void {
    this.#closeBlock();
    const outermost = this.#items[0];
    this.#leaveItems(line.indent - 2);
    if (this.#items.length >= MAX_DEPTH) this.#items.pop();
    const lead = this.#items.length > 0 ? undefined : outermost === undefined ? this.#lead : outermost.lead;
    this.#items.push({ indent: line.indent, statement: undefined, lead });
    const { number, start, end } = line;
    this.#block = { kind: "item", line: number, start, end, parts: [mark.rest], mark };
  }

  /** Closes the items that are indented further than this. */
  #leaveItems(limit: number): void {
    while ((this.#items.at(-1)?.indent ?? -2) > limit) this.#items.pop();
  }

  #fence(line: FenceLine): void {
    this.#closeBlock();
    this.#columns = undefined;
    this.#leaveItems(line.indent - 1);
    const after = this.statements.length - 1;
    const isHere = this.statements[after]?.section === this.sections.current.id;
    this.fences.push({
      language: line.language,
      code: line.code,
      section: this.sections.current.id,
      line: line.number,
      ...(isHere ? { after } : {}),
      inItem: this.#items.length > 0 && isHere,
    });
  }

  #isTableLine(line: Line, next: Line | FenceLine | undefined): boolean {
    const { content } = line;
    if (!content.includes("|")) {
      this.#columns = undefined;
      return false;
    }
    if (this.#columns !== undefined) {
      if (isTableRule(content)) return true;
      this.#row(line, this.#columns);
      return true;
    }
    if (next?.kind !== "text" || !isTableRule(next.content) || listMark(content) !== undefined) return false;
    this.#closeBlock();
    this.#columns = cellsOf(content);
    return true;
  }

  #row(line: Line, columns: readonly string[]): void {
    const text = collapse(line.content.replace(/^\|/, "").replace(/\|$/, ""));
    if (!hasLetters(text)) return;
    this.#push({
      kind: "row",
      text,
      line: line.number,
      start: line.start,
      end: line.end,
      cells: cellsOf(text),
      columns,
    });
  }

  #closeBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined) return;
    const text = collapse(block.parts.join(" "));
    if (!hasLetters(text)) return;
    const bold = block.kind === "paragraph" && block.parts.length === 1 ? boldHeading(text) : undefined;
    if (bold !== undefined && this.#items.length === 0 && statedRequirements(bold).length === 0) {
      return this.#heading(7, bold, block.line, block.start);
    }
    const { kind, line, start, end, mark } = block;
    if (kind === "item") {
      const numbered = mark?.number === undefined ? {} : { number: mark.number };
      this.#push({
        kind,
        text,
        line,
        start,
        end,
        ...numbered,
        checkbox: mark?.checkbox === true,
        done: mark?.done === true,
      });
      (this.#items.at(-1) as OpenItem).statement = this.statements.length - 1;
      return;
    }
    this.#paragraph(block, text);
  }

  #paragraph({ line, start, end }: Block, text: string): void {
    const raw = this.#source.slice(start, end);
    // Where a comment or a quote mark stands in between, the paragraph is kept whole.
    const pieces = raw.includes(">") ? [] : requirementSentences(raw);
    if (pieces.length < 2) this.#push({ kind: "paragraph", text, line, start, end });
    else {
      for (const piece of pieces) {
        const before = raw.slice(0, piece.start + /^\s*/.exec(raw.slice(piece.start))![0].length);
        const words = collapse(raw.slice(piece.start, piece.end));
        if (!hasLetters(words)) continue;
        const at = { line: line + before.split("\n").length - 1, start: start + piece.start, end: start + piece.end };
        this.#push({ kind: "sentence", text: words, ...at });
      }
    }
    this.#lead = text.endsWith(":") && this.#items.length === 0 ? this.statements.length - 1 : undefined;
  }

  #push(found: Pick<SpecStatement, "kind" | "text" | "line" | "start" | "end"> & Partial<SpecStatement>): void {
    const own = statedRequirements(found.text);
    const inside = found.kind === "item" ? this.#items.slice(0, -1) : this.#items;
    const parent = inside.findLast(({ statement }) => statement !== undefined)?.statement;
    const lead = found.kind === "item" ? this.#items.at(-1)?.lead : found.kind === "row" ? this.#lead : undefined;
    const isBelowDone = parent !== undefined && this.statements[parent]?.done === true;
    this.statements.push({
      checkbox: false,
      ...found,
      // What stands below a ticked item without a box of its own is done with it.
      done: found.done === true || (isBelowDone && found.checkbox !== true),
      section: this.sections.current.id,
      requirements: own.length > 0 ? own : this.sections.current.requirements,
      depth: Math.max(0, this.#items.length - 1),
      ...(parent === undefined ? {} : { parent }),
      ...(lead === undefined ? {} : { lead }),
    });
  }
}

/** An id that some heading or statement starts with is stated there; elsewhere it is only named. */
function whereStated({ headingIds, statements }: Reader, found: readonly Section[]): SpecStatement[] {
  const own = statements.map(({ text, cells }) => new Set((cells ?? [text]).flatMap(leadingRequirements)));
  const settled = new Set([...headingIds.map(({ id }) => id), ...own.flatMap((ids) => [...ids])]);
  if (settled.size === 0) return statements;
  const headings = new Map(found.map(({ id, requirements }) => [id, requirements]));
  return statements.map((statement, place) => {
    const inherited = headings.get(statement.section) ?? [];
    if (statement.requirements === inherited) return statement;
    const kept = statement.requirements.filter((id) => own[place]?.has(id) === true || !settled.has(id));
    return kept.length === statement.requirements.length
      ? statement
      : { ...statement, requirements: kept.length > 0 ? kept : inherited };
  });
}

/** Requirement ids of headings and statements, in the order of the text, each once. */
function requirementsInOrder({ headingIds }: Reader, statements: readonly SpecStatement[]): string[] {
  const ids = new Set<string>();
  let heading = 0;
  for (const [index, statement] of statements.entries()) {
    for (; (headingIds[heading]?.before ?? Number.POSITIVE_INFINITY) <= index; heading++) {
      ids.add((headingIds[heading] as { id: string }).id);
    }
    for (const id of statement.requirements) ids.add(id);
  }
  for (const { id } of headingIds.slice(heading)) ids.add(id);
  return [...ids];
}

/** The specs that were read last: each stage of a run reads the same one. */
const latest: Spec[] = [];
const KEPT = 4;

export function parseSpec(text: string): Spec {
  const known = latest.find((spec) => spec.text === text);
  if (known !== undefined) return known;
  const spec = readSpec(text);
  latest.unshift(spec);
  latest.splice(KEPT);
  return spec;
}

function readSpec(text: string): Spec {
  const { lines, hidden, title } = markdownLines(text);
  const reader = new Reader(text);
  reader.read(lines);
  const sections = reader.sections.finish(lines.at(-1)?.number ?? 1, text.length);
  const statements = whereStated(reader, sections);
  return {
    text,
    ...(title === undefined ? {} : { title }),
    sections,
    statements,
    requirements: requirementsInOrder(reader, statements),
    fences: reader.fences,
    hidden,
  };
}
