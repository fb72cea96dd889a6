// Colours when a person is looking, plain text otherwise.

import { isTerminal } from "./output.js";

export interface Style {
  readonly columns: number;
  readonly colours: boolean;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  blue(text: string): string;
  cyan(text: string): string;
}

const paint =
  (on: boolean, open: number, close: number) =>
  (text: string): string =>
    on ? `\u001b[${open}m${text}\u001b[${close}m` : text;

export const makeStyle = (colours: boolean, columns: number): Style => ({
  columns,
  colours,
  bold: paint(colours, 1, 22),
  dim: paint(colours, 2, 22),
  red: paint(colours, 31, 39),
  green: paint(colours, 32, 39),
  yellow: paint(colours, 33, 39),
  blue: paint(colours, 34, 39),
  cyan: paint(colours, 36, 39),
});

/** Standard error may be a file although standard output is a terminal. */
export const errorStyle = (style: Style) => (style.colours && !isTerminal(2) ? makeStyle(false, style.columns) : style);

export const widest = (texts: readonly string[]): number =>
  texts.reduce((width, text) => Math.max(width, text.length), 0);
