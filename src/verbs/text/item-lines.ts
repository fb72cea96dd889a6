// The parts of which items are printed: a title, labelled rows, and a text below.

import type { Style } from "../kit/style.js";
import { harmless, withinLine } from "./wording.js";

export type Line = readonly [label: string, text: string | null | undefined];

/** Each on a line of its own, or what to say if there are none. */
export const linesOr =
  <T>(none: string, line: (each: T, style: Style) => string, between = "\n") =>
  (found: readonly T[], style: Style): string =>
    found.length === 0 ? style.dim(none) : found.map((each) => line(each, style)).join(between);

export const WIDTH = 12;

export const rows = (lines: readonly Line[], style: Style): string[] =>
  lines.flatMap(([label, text]) =>
    text === null || text === undefined || text === ""
      ? []
      : [`  ${style.dim(label.padEnd(WIDTH - 1))} ${withinLine(text)}`],
  );

export const block = (text: string): string[] =>
  text === ""
    ? []
    : [
        "",
        ...harmless(text)
          .split("\n")
          .map((line) => `  ${line}`.trimEnd()),
      ];

export const head = (id: string, title: string, style: Style): string => `${style.bold(id)}  ${harmless(title)}`;
