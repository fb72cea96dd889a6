// Text in the columns of a terminal: wide characters count double, and nothing is cut through the middle
// of a character. In a file of its own because the tables behind it take a while to load.

import stringWidth from "string-width";

const segmenter = new Intl.Segmenter();

export const widthOf = (text: string): number => stringWidth(text);

/** At most so many columns; what is cut off leaves an ellipsis. */
export function fit(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  if (columns <= 0) return "";
  let kept = "";
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Text that runs from right to left must not carry along what stands beside it. */
export const isolate = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
