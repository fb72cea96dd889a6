// Text in the columns of a terminal. What most plans are written in takes one column for each character; all else is
// measured by `wide-text.ts`, whose tables take longer to load than everything else that `status` does.

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
  for (const text of texts) if (!isPlain(text)) return (await import("./wide-text.js")).WIDE_RULER;
  return PLAIN_RULER;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Text that runs from right to left must not carry along what stands beside it. */
export const isolate = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
