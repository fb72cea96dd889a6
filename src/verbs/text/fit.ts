// Text in the columns of a terminal. What most plans are written in takes one column for each character; all else is
// measured by `wide-text.ts`, whose tables take longer to load than everything else that `status` does.

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
  const lines: string[] = [];
  let current = start;
  for (const word of rest.split(" ")) {
    const longer = current.trim() === "" ? `${current}${word}` : `${current} ${word}`;
    if (longer.length > columns && current.trim() !== "") {
      lines.push(current);
      current = `${start}${word}`;
    } else current = longer;
  }
  return [...lines, current];
}

const segmenter = new Intl.Segmenter();

const widthOf = (text: string): number => (isPlain(text) ? text.length : stringWidth(text));

export const WIDE_RULER: Ruler = {
  widthOf,
  fit: (text, columns) => {
    if (widthOf(text) <= columns) return text;
    if (columns <= 0) return "";
    let kept = "";
    let width = 0;
    for (const { segment } of segmenter.segment(text)) {
      width += widthOf(segment);
      if (width > columns - 1) break;
      kept += segment;
    }
    return `${kept.trimEnd()}…`;
  },
};
export interface Ruler {
  /** Colours take no room. */
  readonly widthOf: (text: string) => number;
  /** At most so many columns; what is cut off leaves an ellipsis. */
  readonly fit: (text: string, columns: number) => string;
}

const PLAIN = /^[ -~\u2500-\u257f]*$/;

export const isPlain = (text: string): boolean => PLAIN.test(text);

// oxlint-disable-next-line no-control-regex -- colours begin with one.
const COLOUR = /\u001b\[\d+m/g;

const PLAIN_RULER: Ruler = {
  widthOf: (text) => text.replace(COLOUR, "").length,
  fit: (text, columns) => {
    if (text.length <= columns) return text;
    return columns <= 0 ? "" : `${text.slice(0, columns - 1).trimEnd()}…`;
  },
};

/** For what these say, and for signs of our own around it. */
export async function rulerFor(texts: Iterable<string>): Promise<Ruler> {
  for (const text of texts) if (!isPlain(text)) return WIDE_RULER;
  return PLAIN_RULER;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Text that runs from right to left must not carry along what stands beside it. */
export const isolate = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
