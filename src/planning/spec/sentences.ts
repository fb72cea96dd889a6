// The sentences of a paragraph that states several requirements: one piece for each requirement id.

import { statedRequirements } from "./requirement-ids.js";
import type { Range } from "./spec.js";

const BORDER = /[.!?;]["')\]*_]*\s+|\r?\n|\r/g;

/** Ranges in the paragraph. A sentence without an id belongs to the one before it; what stands before the first stays apart. */
export function requirementSentences(paragraph: string): Range[] {
  const whole = [{ start: 0, end: paragraph.length }];
  if (statedRequirements(paragraph).length < 2) return whole;
  const pieces: Range[] = [];
  let start = 0;
  for (const { index, 0: border } of [...paragraph.matchAll(BORDER), { index: paragraph.length, 0: "" }]) {
    const end = index + border.length;
    // A line end is a border only if the next line starts with an id of its own.
    const isLineEnd = /^[\r\n]/.test(border);
    if (isLineEnd && !startsWithId(paragraph.slice(end, end + 60))) continue;
    const stated = statedRequirements(paragraph.slice(start, end)).length > 0;
    const last = pieces.at(-1);
    if (stated || last === undefined) pieces.push({ start, end });
    else pieces[pieces.length - 1] = { start: last.start, end };
    start = end;
  }
  return pieces;
}

const startsWithId = (text: string): boolean => {
  const first = /^\s*[[(*_]*[A-Za-z]+[ -]?[\dA-Z][\w.-]*/.exec(text)?.[0];
  return first !== undefined && statedRequirements(first).length > 0;
};
