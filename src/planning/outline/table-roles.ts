// What a table is, by the names of its columns.

import { isDroppedStatus, priorityOf } from "../spec/cues.js";
import type { SpecStatement } from "../spec/spec.js";
import type { SectionRole } from "./heading-roles.js";
import { sameWords } from "./wording.js";

const has = (columns: readonly string[], pattern: RegExp): boolean => columns.some((column) => pattern.test(column));

/** Nothing if the columns leave it open. */
export function tableRole(raw: readonly string[]): SectionRole | undefined {
  const columns = raw.map(sameWords);
  const [first = ""] = columns;
  if (
    has(
      columns,
      /^(?:story|user story|requirement|requirements|task|feature|acceptance(?: criteria)?|description of work)$/,
    )
  )
    return undefined;
  if (/^(?:term|terms|word|acronym|abbreviation|concept)$/.test(first)) return "glossary";
  if (has(columns, /^(?:risks?|threats?|challenges?)$/)) return "risks";
  if (
    has(columns, /^(?:metric|measure)s?$/) &&
    (columns.length === 2 || has(columns, /\b(?:target|goal|baseline|current|threshold|value|today)s?\b/))
  )
    return "metrics";
  if (has(columns, /^(?:version|revision|rev)$/) && has(columns, /\b(?:date|author|changes?|description)\b/))
    return "document";
  const isPart = /^(?:component|tool|technology|dependency|library|package|software|runtime|framework|layer)s?$/;
  if (isPart.test(first) && has(columns, /^(?:version|versions|minimum version)$/)) return "constraints";
  if (has(columns, /^minimum\b/) && has(columns, /^recommended\b/)) return "constraints";
  if (has(columns, /^(?:pros?|cons?|advantages?|disadvantages?|drawbacks?|competitors?|problems?|alternatives?)$/))
    return "references";
  if (
    has(columns, /^(?:milestone|phase|week|sprint)$/) &&
    has(columns, /\b(?:date|duration|deadline|due|eta|end|when|timeline|weeks?)\b/)
  )
    return "process";
  return undefined;
}

/** A table of the parts of one thing: parameters, columns, settings. */
export function isFieldTable(raw: readonly string[]): boolean {
  const [first = ""] = raw.map(sameWords);
  return /^(?:state|field|parameter|param|property|attribute|column|key|option|flag|variable|setting|argument|env(?:ironment)? variable|config(?:uration)? key|header|code|status code|error code|enum|value|type|keyword|symbol|placeholder|token)s?(?: name)?$/.test(
    first,
  );
}

const cellsOf = ({ cells = [], columns = [] }: SpecStatement, pattern: RegExp): string[] =>
  cells.filter((_, index) => pattern.test(sameWords(columns[index] ?? "")));

const cellOf = ({ cells = [], columns = [] }: SpecStatement, pattern: RegExp): string | undefined =>
  cells[columns.findIndex((column) => pattern.test(sameWords(column)))];

/** Of a column about priority. */
export function rowPriority(row: SpecStatement): number | undefined {
  const cell = cellOf(row, /^(?:priority|prio|importance|severity|moscow|p)$/);
  return cell === undefined ? undefined : priorityOf(cell);
}

/** A column about status, release or priority says that it is not for now. */
export function isDroppedRow(row: SpecStatement): boolean {
  const said = cellsOf(row, /^(?:status|state|progress|release|version|scope|in scope|priority|moscow)$/);
  return said.some((cell) => isDroppedStatus(cell));
}

/** The words of a column about acceptance. */
export const rowCriteria = (row: SpecStatement): string | undefined =>
  cellOf(
    row,
    /^(?:acceptance(?: criteria| test)?|done when|definition of done|expected(?: result| outcome)?|verification)$/,
  );

const FIGURE = /^[~≈<>≤≥=+±-]*\s*[$€£]?\d[\d.,:]*\s*(?:[%×x]|\p{L}{1,6}(?:\/\p{L}{1,6})?)?(?:\s*\([^)]*\))?$/u;
const LIMIT = /\b(?:targets?|max(?:imum)?|min(?:imum)?|limits?|thresholds?|slas?|slos?|requirements?|budget|p\d+)\b/;

/** A table of figures calculates something; unless they are limits to keep, it asks for nothing. */
export function isCalculation(rows: readonly SpecStatement[]): boolean {
  const columns = (rows[0]?.columns ?? []).map(sameWords);
  if (columns.length < 3 || rows.length < 2 || has(columns, LIMIT)) return false;
  const cells = rows.flatMap((row) => (row.cells ?? []).slice(1)).map((cell) => cell.trim());
  return cells.filter((cell) => FIGURE.test(cell)).length >= cells.length * 0.7;
}

const SHORT_ANSWER = /^(?:yes|no|y|n|n a|partial|limited|✓|✔|✅|✗|✘|❌|x|-|–|—|)$/iu;

/** A grid of yes and no compares things; it asks for nothing. */
export function isComparison(rows: readonly SpecStatement[]): boolean {
  const columns = rows[0]?.columns ?? [];
  if (columns.length < 3 || rows.length < 2) return false;
  const cells = rows.flatMap((row) => (row.cells ?? []).slice(1));
  const short = cells.filter((cell) => SHORT_ANSWER.test(cell.trim().replace(/\s*\(.*\)$/, "")));
  return short.length >= cells.length * 0.5;
}
