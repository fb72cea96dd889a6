import { harmless } from "./harmless.js";

/** How much of a text one line shows. */
const LONGEST = 500;

/** Words of an agent on one line, so that none of them can pass for a line of ours. */
export function inLine(words: string): string {
  const line = harmless(words.slice(0, 4 * LONGEST))
    .replace(/[\s\u2028\u2029]+/g, " ")
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
