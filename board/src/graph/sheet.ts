// What everything that draws the graph shares: the canvas, the colours, what is marked, and how words fit.

import type { Box, Camera, Placed, PlacedNode } from "./geometry.js";
import type { WaveWords } from "./wave-words.js";

/** Colours and fonts of the theme, by the name of their token. */
export type Palette = (token: string) => string;

export interface Marks {
  readonly selected: string | null;
  readonly asks: ReadonlySet<string>;
  /** Marks the longest path of what is left. */
  readonly longest: boolean;
  /** What the filter leaves; null shows all. */
  readonly shown: ReadonlySet<string> | null;
  /** Several nodes that are selected for a verb. */
  readonly picked: ReadonlySet<string>;
  readonly waves: WaveWords;
  /** Words of lanes that are shut. */
  readonly laneWords: ReadonlyMap<string | null, string>;
}

/** A dependency that is being drawn with the pointer. */
export interface Pull {
  readonly from: PlacedNode;
  readonly x: number;
  readonly y: number;
  readonly over: PlacedNode | undefined;
}

export interface Sheet extends Marks {
  readonly context: CanvasRenderingContext2D;
  readonly colour: Palette;
  readonly camera: Camera;
  readonly view: Box;
  readonly placed: Placed;
}

export const meets = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && a.x + a.width > b.x && a.y < b.y + b.height && a.y + a.height > b.y;

export function rounded(context: CanvasRenderingContext2D, { x, y, width, height }: Box, radius: number): void {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
}

/** As many letters as fit. */
export function cut(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let short = text;
  while (short.length > 1 && context.measureText(`${short}…`).width > width) short = short.slice(0, -1);
  return `${short.trimEnd()}…`;
}

/** As many words as fit, in at most two lines. */
export function wrap(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const words = text.split(" ");
  let first = "";
  let used = 0;
  for (const word of words) {
    const longer = first === "" ? word : `${first} ${word}`;
    if (first !== "" && context.measureText(longer).width > width) break;
    first = longer;
    used++;
  }
  const rest = words.slice(used).join(" ");
  return rest === "" ? [cut(context, first, width)] : [cut(context, first, width), cut(context, rest, width)];
}
