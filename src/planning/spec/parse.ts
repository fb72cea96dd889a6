// Reads any Markdown or plain text as a spec: the tree of the Markdown parser as sections, statements and fences, each
// with its place in the text.
//
// Also cuts a spec into parts that fit into the context of a model.

import { append } from "../../base/append.js";
import { QUARTERS, tokenQuarters } from "../../model/words.js";
import { collapse, isDoneStatus, isMarkedDone, isStatus } from "./cues.js";
import type { RawSection } from "./list-marks.js";
import { readMarkdown } from "./markdown.js";
import { leadingRequirements, learnPrefixes, statedRequirements } from "./requirement-ids.js";
import type { Range, Section, Spec, SpecStatement } from "./spec.js";
import { type RawStatement, TreeReader } from "./tree-reader.js";

/** By id. A heading without an id has those of the heading that it is below. */
function withRequirements(sections: readonly RawSection[], prefixes: readonly string[]): Section[] {
  const known = new Map<string, readonly string[]>();
  return sections.map(({ rawTitle, ...section }) => {
    const stated = statedRequirements(rawTitle, prefixes);
    const above = section.id.includes(".") ? known.get(section.id.replace(/\.\d+$/, "")) : undefined;
    const requirements = stated.length > 0 ? stated : (above ?? []);
    known.set(section.id, requirements);
    return { ...section, requirements };
  });
}

const STATUS_COLUMN = /^(?:status|state|progress|done\??|implemented\??|completed?\??|shipped\??)$/i;

/** A first column called "State" names the states of something, unless all of it tells how far things are. */
const isNameColumn = (rows: readonly RawStatement[]): boolean =>
  !rows.every(({ cells = [] }) => isStatus(cells[0] ?? ""));

function isDone({ text, cells, columns, checkbox, isTicked }: RawStatement, isNamed: boolean): boolean {
  if (checkbox) return isTicked || isMarkedDone(text);
  if (cells === undefined || columns === undefined) return isMarkedDone(text);
  const isDoneCell = (cell: string, at: number): boolean =>
    STATUS_COLUMN.test(collapse(columns[at] ?? "")) && !(at === 0 && isNamed) && isDoneStatus(cell);
  return cells.some(isDoneCell) || (!isNamed && isMarkedDone(cells[0] ?? ""));
}

/** What stands below a finished item without a box of its own is done with it. */
function withDone(found: readonly RawStatement[]): boolean[] {
  const done: boolean[] = [];
  const tables = new Map<readonly string[], RawStatement[]>();
  for (const row of found) {
    if (row.columns !== undefined) append(tables, row.columns, row);
  }
  const named = new Set(
    [...tables].flatMap(([columns, rows]) =>
      STATUS_COLUMN.test(collapse(columns[0] ?? "")) && isNameColumn(rows) ? [columns] : [],
    ),
  );
  for (const statement of found) {
    const { parent, checkbox, columns } = statement;
    const isBelowDone = parent !== undefined && done[parent] === true && !checkbox;
    done.push(isBelowDone || isDone(statement, columns !== undefined && named.has(columns)));
  }
  return done;
}

/** An id that some heading or statement starts with is stated there; elsewhere it is only named. */
function withStated(
  found: readonly RawStatement[],
  sections: readonly Section[],
  prefixes: readonly string[],
): SpecStatement[] {
  const done = withDone(found);
  const own = found.map(
    ({ text, cells }) => new Set((cells ?? [text]).flatMap((part) => leadingRequirements(part, prefixes))),
  );
  const headings = new Map(sections.map(({ id, requirements }) => [id, requirements]));
  const settled = new Set([...sections.flatMap(({ requirements }) => requirements), ...own.flatMap((ids) => [...ids])]);
  return found.map(({ isTicked: _isTicked, ...statement }, place): SpecStatement => {
    const inherited = headings.get(statement.section) ?? [];
    const stated = statedRequirements(statement.text, prefixes);
    const kept = stated.filter((id) => own[place]?.has(id) === true || !settled.has(id));
    return { ...statement, done: done[place] === true, requirements: kept.length > 0 ? kept : inherited };
  });
}

/** Requirement ids of headings and statements, in the order of the text, each once. */
function inOrder(sections: readonly Section[], statements: readonly SpecStatement[]): string[] {
  const stated = [
    ...sections.map(({ start, requirements }) => ({ start, requirements })),
    ...statements.map(({ start, requirements }) => ({ start, requirements })),
  ].sort((a, b) => a.start - b.start);
  return [...new Set(stated.flatMap(({ requirements }) => requirements))];
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
  const reader = new TreeReader(text, readMarkdown(text));
  const { found, fences, frontMatter } = reader;
  const raw = reader.finish();
  const starts = [
    ...raw.map(({ rawTitle }) => rawTitle),
    ...found.flatMap(({ text: words, cells }) => cells ?? [words]),
  ];
  const idPrefixes = learnPrefixes(starts);
  const sections = withRequirements(raw, idPrefixes);
  const statements = withStated(found, sections, idPrefixes);
  const key = (name: string): string | undefined =>
    new RegExp(String.raw`^${name}\s*[:=]\s*(.{1,300})$`, "im")
      .exec(frontMatter)?.[1]
      ?.trim()
      .replace(/^["']|["']$/g, "");
  const title = key("title");
  const status = key("status");
  return {
    text,
    ...(title === undefined ? {} : { title }),
    ...(status === undefined ? {} : { status }),
    sections,
    statements,
    requirements: inOrder(sections, statements),
    idPrefixes,
    fences,
    hidden: reader.hidden,
    rules: reader.rules,
  };
}

interface SpecPart extends Range {
  readonly text: string;
  readonly tokens: number;
  /** Ids of the sections that it holds, whole or in part. */
  readonly sections: readonly string[];
}

interface Piece extends Range {
  readonly quarters: number;
}

/** Cuts after each match. */
function cutAfter(text: string, { start, end }: Range, separator: RegExp): Range[] {
  const ranges: Range[] = [];
  let from = start;
  for (const match of text.slice(start, end).matchAll(separator)) {
    const to = start + match.index + match[0].length;
    if (to >= end) break;
    ranges.push({ start: from, end: to });
    from = to;
  }
  ranges.push({ start: from, end });
  return ranges;
}

/** A line that is too long is cut anywhere but inside of a surrogate pair. */
function cutAnywhere(text: string, { start, end }: Range, limit: number): Piece[] {
  const pieces: Piece[] = [];
  let from = start;
  let quarters = 0;
  for (let at = start; at < end; ) {
    const width = (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
    const cost = tokenQuarters(text, at, Math.min(end, at + width));
    if (quarters + cost > limit && at > from) {
      pieces.push({ start: from, end: at, quarters });
      from = at;
      quarters = 0;
    }
    quarters += cost;
    at += width;
  }
  pieces.push({ start: from, end, quarters });
  return pieces;
}

const PARAGRAPH_END = /\n[ \t\r]*\n/g;
const LINE_END = /\n|\r(?!\n)/g;

function piecesOf(text: string, range: Range, limit: number, separators: readonly RegExp[]): Piece[] {
  const quarters = tokenQuarters(text, range.start, range.end);
  if (quarters <= limit) return [{ ...range, quarters }];
  const [separator, ...finer] = separators;
  if (separator === undefined) return cutAnywhere(text, range, limit);
  return cutAfter(text, range, separator).flatMap((piece) => piecesOf(text, piece, limit, finer));
}

function sectionsWithin({ sections }: Spec, { start, end }: Range, from: number): { ids: string[]; next: number } {
  const ids: string[] = [];
  let next = from;
  for (; next < sections.length && (sections[next]?.start ?? end) < end; next++) {
    const section = sections[next];
    if (section !== undefined && section.end > start) ids.push(section.id);
    if (section !== undefined && section.end > end) break;
  }
  return { ids, next };
}

export function splitSpec(spec: Spec, maxTokens: number): SpecPart[] {
  const limit = Math.max(1, Math.floor(maxTokens)) * QUARTERS;
  const separators = [PARAGRAPH_END, LINE_END];
  const pieces = spec.sections.flatMap(({ start, end }) => piecesOf(spec.text, { start, end }, limit, separators));
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last === undefined || last.quarters + piece.quarters > limit) joined.push(piece);
    else joined[joined.length - 1] = { start: last.start, end: piece.end, quarters: last.quarters + piece.quarters };
  }
  let next = 0;
  return joined.map(({ start, end, quarters }) => {
    const within = sectionsWithin(spec, { start, end }, next);
    next = within.next;
    return {
      start,
      end,
      text: spec.text.slice(start, end),
      tokens: Math.ceil(quarters / QUARTERS),
      sections: within.ids,
    };
  });
}
