// Comments of HTML in a text. A comment that nothing closes is text, and so is everything after it.

import type { Range } from "./spec.js";

const [OPEN, CLOSE] = ["<!--", "-->"];

export function commentsIn(text: string, from = 0, to = text.length): Range[] {
  const found: Range[] = [];
  for (let start = text.indexOf(OPEN, from); start >= 0 && start < to; ) {
    const close = text.indexOf(CLOSE, start + OPEN.length);
    const end = close + CLOSE.length;
    if (close < 0 || end > to) break;
    found.push({ start, end });
    start = text.indexOf(OPEN, end);
  }
  return found;
}
