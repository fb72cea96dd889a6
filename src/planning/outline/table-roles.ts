// What a table is, by the names of its columns.

import { isDroppedStatus, priorityOf } from "../spec/cues.js";
import type { SpecStatement } from "../spec/spec.js";
import type { SectionRole } from "./heading-roles.js";
import { sameWords } from "./wording.js";

/** Patterns for the names of the columns, in the form of `sameWords`, between bars; the first row of which all fit counts. */
const TABLES: readonly (readonly [role: SectionRole | undefined, ...patterns: RegExp[]])[] = [
  [undefined, /\|(?:(?:user )?story|requirements?|task|feature|acceptance(?: criteria)?|description of work)\|/],
  ["glossary", /^\|(?:terms?|word|acronym|abbreviation|concept)\|/],
  ["risks", /\|(?:risks?|threats?|challenges?)\|/],
  [
    "metrics",
    /\|(?:metric|measure)s?\|/,
    /^\|[^|]*\|[^|]*\|$|\b(?:target|goal|baseline|current|threshold|value|today)s?\b/,
  ],
  ["document", /\|(?:version|revision|rev)\|/, /\b(?:date|author|changes?|description)\b/],
  [
    "constraints",
    /^\|(?:component|tool|technology|dependency|library|package|software|runtime|framework|layer)s?\|/,
    /\|(?:versions?|minimum version)\|/,
  ],
  ["constraints", /\|minimum\b/, /\|recommended\b/],
  ["references", /\|(?:pros?|cons?|advantages?|disadvantages?|drawbacks?|competitors?|problems?|alternatives?)\|/],
  // An index of what is described phase by phase.
  ["references", /\|(?:status|state|progress)\|/, /\|(?:target |planned )?(?:phase|milestone)\|/],
  ["process", /\|(?:milestone|phase|week|sprint)\|/, /\b(?:date|duration|deadline|due|eta|end|when|timeline|weeks?)\b/],
];

const headOf = (columns: readonly string[] = []): string => `|${columns.map(sameWords).join("|")}|`;

/** Nothing if the columns leave it open. */
export const tableRole = (columns: readonly string[]): SectionRole | undefined =>
  TABLES.find(([, ...patterns]) => patterns.every((pattern) => pattern.test(headOf(columns))))?.[0];

/** A table of the parts of one thing: parameters, columns, settings. */
export function isFieldTable(raw: readonly string[]): boolean {
  const [first = ""] = raw.map(sameWords);
  return /^(?:state|field|parameter|param|property|attribute|column|key|option|flag|variable|setting|argument|env(?:ironment)? variable|config(?:uration)? key|header|code|status code|error code|enum|value|type|keyword|symbol|placeholder|token)s?(?: name)?$/.test(
    first,
  );
}

const cellsOf = ({ cells = [], columns = [] }: SpecStatement, pattern: RegExp): string[] =>
  cells.filter((_, index) => pattern.test(sameWords(columns[index] ?? "")));

/** The first cell of a column with such a name. */
export const cellOf = (row: SpecStatement, pattern: RegExp): string | undefined => cellsOf(row, pattern)[0];

/** What a column about priority says. */
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

const FIGURE =
  /^[~≈<>≤≥=+±-]*\s*[$€£]?\d[\d.,:]*\s*(?:[%×x]|\p{L}{1,6}(?:\/\p{L}{1,6})?)?(?:\([^)]*\)|(?<!\s)\s+\([^)]*\))?$/u;
const LIMIT = /\b(?:targets?|max(?:imum)?|min(?:imum)?|limits?|thresholds?|slas?|slos?|requirements?|budget|p\d+)\b/;

/** Whether so many of the cells after the first column are of one kind, in a table of some size. */
function areMostly(rows: readonly SpecStatement[], share: number, isOfKind: (cell: string) => boolean): boolean {
  const cells = rows.flatMap((row) => (row.cells ?? []).slice(1)).map((cell) => cell.trim());
  const isTable = (rows[0]?.columns ?? []).length > 2 && rows.length > 1;
  return isTable && cells.filter(isOfKind).length >= cells.length * share;
}

/** A table of figures calculates something; unless they are limits to keep, it asks for nothing. */
export const isCalculation = (rows: readonly SpecStatement[]): boolean =>
  !LIMIT.test(headOf(rows[0]?.columns)) && areMostly(rows, 0.7, (cell) => FIGURE.test(cell));

const SHORT_ANSWER = /^(?:yes|no|y|n|n a|partial|limited|✓|✔|✅|✗|✘|❌|x|-|–|—|)$/iu;

/** "yes (since 1.2)" without what is in brackets at its end. */
const withoutRemark = (cell: string): string =>
  cell.endsWith(")") && cell.includes("(") ? cell.slice(0, cell.indexOf("(")).trimEnd() : cell;

/** A grid of yes and no compares things; it asks for nothing. */
export const isComparison = (rows: readonly SpecStatement[]): boolean =>
  areMostly(rows, 0.5, (cell) => SHORT_ANSWER.test(withoutRemark(cell)));
