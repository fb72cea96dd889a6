// Text in the columns of a terminal. What most plans are written in takes one column for each character; `string-width`
// measures the rest, and is loaded only for that (scripts/build.mjs).

import stringWidth from "string-width";

/** Breaks prose between words so that no line is wider than the screen. A word that is too long stays whole. */
export function wrapText(text: string, columns: number, indent = ""): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, Math.max(20, columns - indent.length)).join(`\n${indent}`))
    .join(`\n${indent}`);
}

function wrapLine(line: string, columns: number): string[] {
  const [, start = "", rest = ""] = /^(\s*)(.*)$/s.exec(line) ?? [];
  return wrapParts(rest.split(" "), " ", columns - start.length).map((part) => `${start}${part}`);
}

export function wrapParts(parts: readonly string[], between: string, columns: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const longer = last === undefined ? part : `${last}${between}${part}`;
    if (last !== undefined && widthOf(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/** Latin, Greek, Cyrillic, punctuation, arrows and lines: characters of one column, which nothing beside them changes. */
const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u2319\u2500-\u25fc✓✗]*$/;

export const widthOf = (text: string): number => (PLAIN.test(text) ? text.length : stringWidth(text));

export function fitText(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns <= 0) return "";
  if (PLAIN.test(text)) return `${text.slice(0, columns - 1).trimEnd()}…`;
  let kept = "";
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Text that runs from right to left must not carry along what stands beside it. */
export const isolate = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
