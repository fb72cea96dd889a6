// Text in any script: wide characters count double, and nothing is cut through the middle of a character.

import stringWidth from "string-width";
import { isPlain, type Ruler } from "./fit.js";

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
