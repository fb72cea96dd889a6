// Reads any Markdown or plain text as a spec: the tree of the Markdown parser as sections, statements and fences, each
// with its place in the text.

import { append } from "../../base/append.js";
import { collapse, isDoneStatus, isMarkedDone, isStatus } from "./cues.js";
import { withoutHtml } from "./html.js";
import type { RawSection } from "./list-marks.js";
import { readMarkdown } from "./markdown.js";
import { leadingRequirements, learnPrefixes, statedRequirements } from "./requirement-ids.js";
import type { Section, Spec, SpecStatement } from "./spec.js";
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

/** "✅ All payments are reconciled" below "Exit criteria" is what has to be true, not what is. */
const NAMES_CRITERIA = /\bcriteri(?:a|on)\b|\bacceptance\b|\bdefinition of done\b|\brequirements?\b/i;

/** Only a sign at its start says that it is done. */
const isSigned = (text: string): boolean => {
  const rest = /^[✅✔☑]\uFE0F?\s*(\S.*)$/su.exec(text)?.[1];
  return rest !== undefined && !isMarkedDone(rest);
};

function isDone({ text, cells, columns, checkbox, isTicked }: RawStatement, isNamed: boolean): boolean {
  if (checkbox) return isTicked || isMarkedDone(text);
  if (cells === undefined || columns === undefined) return isMarkedDone(text);
  const isDoneCell = (cell: string, at: number): boolean =>
    STATUS_COLUMN.test(collapse(columns[at] ?? "")) && !(at === 0 && isNamed) && isDoneStatus(cell);
  return cells.some(isDoneCell) || (!isNamed && isMarkedDone(cells[0] ?? ""));
}

/** What stands below a finished item without a box of its own is done with it. */
function withDone(found: readonly RawStatement[], sections: readonly Section[]): boolean[] {
  const done: boolean[] = [];
  const criteria = new Set(sections.filter(({ title }) => NAMES_CRITERIA.test(title)).map(({ id }) => id));
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
    const isCriterion = criteria.has(statement.section) && !checkbox && isSigned(statement.text);
    done.push(isBelowDone || (!isCriterion && isDone(statement, columns !== undefined && named.has(columns))));
  }
  return done;
}

/** An id that some heading or statement starts with is stated there; elsewhere it is only named. */
function withStated(
  found: readonly RawStatement[],
  sections: readonly Section[],
  prefixes: readonly string[],
): SpecStatement[] {
  const done = withDone(found, sections);
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
  const stated = [...sections, ...statements].sort((a, b) => a.start - b.start);
  return [...new Set(stated.flatMap(({ requirements }) => requirements))];
}

/** The specs that were read last: each stage of a run reads the same one. */
const latest: Spec[] = [];
const KEPT = 4;

export function parseSpec(source: string): Spec {
  const text = withoutHtml(source);
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
  return {
    text,
    title: key("title"),
    status: key("status"),
    sections,
    statements,
    requirements: inOrder(sections, statements),
    idPrefixes,
    fences,
    hidden: reader.hidden,
    rules: reader.rules,
  };
}
