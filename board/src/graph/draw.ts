// Draws the graph on a canvas: only what is in view, and of each node only what its detail shows.

import { signPaths } from "../parts/sign-paths.js";
import {
  type Box,
  type Camera,
  LANE_HEAD,
  LEFT,
  type Placed,
  type PlacedEdge,
  type PlacedLane,
  type PlacedNode,
  SIZES,
  TOP,
} from "./geometry.js";
import type { WaveWords } from "./wave-words.js";

/** Colours of the theme, by the name of their token. */
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

interface Sheet extends Marks {
  readonly context: CanvasRenderingContext2D;
  readonly colour: Palette;
  readonly camera: Camera;
  readonly view: Box;
  readonly placed: Placed;
}

const SANS = "Inter, system-ui, sans-serif";
const MONO = "ui-monospace, Menlo, Consolas, monospace";

const meets = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && a.x + a.width > b.x && a.y < b.y + b.height && a.y + a.height > b.y;

function rounded(context: CanvasRenderingContext2D, { x, y, width, height }: Box, radius: number): void {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
}

/** As many letters as fit. */
function cut(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let short = text;
  while (short.length > 1 && context.measureText(`${short}…`).width > width) short = short.slice(0, -1);
  return `${short.trimEnd()}…`;
}

/** As many words as fit, in at most two lines. */
function wrap(context: CanvasRenderingContext2D, text: string, width: number): string[] {
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

function drawColumns({ context, colour, view, camera, placed, waves }: Sheet): void {
  const { column, width } = SIZES[placed.detail];
  const gap = (column - width) / 2;
  for (let index = 0; index < placed.columns; index++) {
    const x = LEFT + index * column - gap;
    if (x > view.x + view.width || x + column < view.x) continue;
    if (index === waves.here) {
      context.globalAlpha = 0.06;
      context.fillStyle = colour("--move");
      context.fillRect(x, view.y, column, view.height);
      context.globalAlpha = 1;
    }
    context.fillStyle = colour("--line");
    if (index > 0 && placed.detail !== "far") context.fillRect(x, view.y, 1 / camera.zoom, view.height);
  }
}

/** The names of the waves stay at the top while you move. */
function drawWaveNames({ context, colour, view, camera, placed, waves }: Sheet): void {
  const { column, width } = SIZES[placed.detail];
  if (placed.detail === "far") return;
  const y = view.y;
  context.globalAlpha = 0.94;
  context.fillStyle = colour("--bg");
  context.fillRect(view.x, y, view.width, (TOP - 8) / camera.zoom);
  context.globalAlpha = 1;
  for (let index = 0; index < placed.columns; index++) {
    const x = LEFT + index * column - (column - width) / 2 + 20;
    if (x > view.x + view.width || x + column < view.x) continue;
    context.font = `550 12px ${SANS}`;
    context.fillStyle = colour("--text");
    const name = `Wave ${index + 1}`;
    context.fillText(name, x, y + 22);
    if (placed.detail !== "near") continue;
    const after = x + context.measureText(name).width + 8;
    context.font = `12px ${SANS}`;
    context.fillStyle = colour("--text-3");
    context.fillText(cut(context, waves.words[index] ?? "", x + column - 28 - after), after, y + 22);
  }
}

function drawBar({ context, colour }: Sheet, x: number, y: number, share: number): void {
  context.fillStyle = colour("--line");
  rounded(context, { x, y, width: 56, height: 4 }, 2);
  context.fill();
  if (share === 0) return;
  context.fillStyle = colour("--prove");
  rounded(context, { x, y, width: 56 * share, height: 4 }, 2);
  context.fill();
}

function drawLane(sheet: Sheet, lane: PlacedLane): void {
  const { context, colour, view, placed, laneWords, camera } = sheet;
  const right = Math.max(lane.x + lane.width, view.x + view.width - 12);
  rounded(context, { ...lane, width: right - lane.x }, 10);
  context.fillStyle = colour("--surface");
  context.globalAlpha = 0.72;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = colour("--line");
  context.lineWidth = 1;
  context.stroke();
  if (placed.detail === "far" && camera.zoom < 0.7) return;
  // The name stays in view while you move to the right.
  let x = Math.max(lane.x, view.x) + 12;
  const y = lane.y + LANE_HEAD / 2;
  const write = (text: string, font: string, token: string, after: number): void => {
    context.font = font;
    context.fillStyle = colour(token);
    context.fillText(text, x, y + 4);
    x += context.measureText(text).width + after;
  };
  context.strokeStyle = colour("--text-3");
  context.lineWidth = 1.5;
  context.stroke(new Path2D(lane.open ? `M${x} ${y - 2}l4 4 4-4` : `M${x + 2} ${y - 4}l4 4-4 4`));
  x += 18;
  write(lane.id ?? "no feature", `11.5px ${MONO}`, "--text-3", 10);
  write(lane.title, `550 13px ${SANS}`, "--text", 10);
  if (!lane.progress) return;
  const { finished, total } = lane.progress;
  drawBar(sheet, x, y - 2, total === 0 ? 0 : finished / total);
  x += 76;
  write(`${finished}/${total}`, `12px ${SANS}`, "--text-3", 12);
  if (!lane.open) write(laneWords.get(lane.id) ?? "", `12px ${SANS}`, "--text-3", 0);
}

/** Edges to the next wave bend once; longer ones run along a row. */
function edgePath({ from, to, run }: PlacedEdge, gap: number): string {
  const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2];
  const half = gap / 2;
  if (to.node.column - from.node.column < 2) return `M${x1} ${y1}C${x1 + half} ${y1} ${x2 - half} ${y2} ${x2} ${y2}`;
  if (run !== null) {
    const begin = `M${x1} ${y1}C${x1 + half} ${y1} ${x1 + half} ${run} ${x1 + gap} ${run}`;
    return `${begin}H${x2 - gap}C${x2 - half} ${run} ${x2 - half} ${y2} ${x2} ${y2}`;
  }
  return y1 > y2
    ? `M${x1} ${y1}H${x2 - gap}C${x2 - half} ${y1} ${x2 - half} ${y2} ${x2} ${y2}`
    : `M${x1} ${y1}C${x1 + half} ${y1} ${x1 + half} ${y2} ${x1 + gap} ${y2}H${x2}`;
}

function drawTip(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - 7, y - 3.5);
  context.lineTo(x - 7, y + 3.5);
  context.fill();
}

function drawEdge({ context, colour, longest, placed, shown }: Sheet, edge: PlacedEdge): void {
  const { from, to, state, critical } = edge;
  const { column, width } = SIZES[placed.detail];
  const isBad = state === "rejected" || state === "dropped";
  const isMarked = longest && critical;
  const isFaint = shown !== null && !(shown.has(from.node.id) && shown.has(to.node.id));
  context.strokeStyle = colour(isBad ? "--stop" : isMarked ? "--ink" : "--line-strong");
  context.fillStyle = context.strokeStyle;
  context.globalAlpha = isFaint ? 0.2 : state === "met" && !isMarked ? 0.5 : 1;
  context.lineWidth = isMarked ? 2.25 : isBad ? 1.75 : 1.25;
  context.setLineDash(isBad ? [4, 3] : []);
  context.stroke(new Path2D(edgePath(edge, column - width)));
  context.setLineDash([]);
  if (placed.detail !== "far") drawTip(context, to.x, to.y + to.height / 2);
  context.globalAlpha = 1;
}

function drawEdges(sheet: Sheet): void {
  const { view, placed, longest } = sheet;
  const seen = placed.edges.filter(({ from, to }) =>
    meets(
      {
        x: from.x,
        y: Math.min(from.y, to.y),
        width: to.x - from.x + 1,
        height: Math.abs(to.y - from.y) + from.height,
      },
      view,
    ),
  );
  const isMarked = ({ critical }: PlacedEdge): boolean => longest && critical;
  for (const edge of seen) if (!isMarked(edge)) drawEdge(sheet, edge);
  for (const edge of seen) if (isMarked(edge)) drawEdge(sheet, edge);
}

function drawSign({ context, colour, asks }: Sheet, { node }: PlacedNode, x: number, y: number, size: number): void {
  const name = asks.has(node.id) && node.status !== "rejected" ? "ask" : node.status;
  const { tone, fill, stroke, over } = signPaths(name);
  context.save();
  context.translate(x, y);
  context.scale(size / 16, size / 16);
  context.fillStyle = colour(name === "ask" ? "--ask-mark" : `--${tone}`);
  context.strokeStyle = context.fillStyle;
  context.lineWidth = 1.6;
  if (name === "planned") context.setLineDash([2.4, 2.1]);
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas is filled, not an array
  if (fill !== "") context.fill(new Path2D(fill));
  if (stroke !== "") context.stroke(new Path2D(stroke));
  if (over !== "") {
    context.strokeStyle = colour(name === "ask" ? "--on-ask" : "--surface");
    context.lineWidth = 1.8;
    context.stroke(new Path2D(over));
  }
  context.restore();
}

const EDGE_OF: Readonly<Record<string, string>> = { in_progress: "--move", rejected: "--stop" };

function drawCard(sheet: Sheet, placed: PlacedNode): void {
  const { context, colour, longest } = sheet;
  const { node, x, y, width, height } = placed;
  context.fillStyle = colour("--line");
  rounded(context, { x, y: y + 1, width, height }, 6);
  context.fill();
  context.fillStyle = colour("--surface");
  rounded(context, placed, 6);
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = colour(EDGE_OF[node.status] ?? "--line");
  context.stroke();
  if (!longest || !node.critical) return;
  context.save();
  rounded(context, placed, 6);
  context.clip();
  context.fillStyle = colour("--ink");
  context.fillRect(x, y + height - 2, width, 2);
  context.restore();
}

/** A ring around what is selected: one for keys and the peek, a thinner one for verbs on several. */
function drawRing({ context, colour, selected, picked }: Sheet, { node, x, y, width, height }: PlacedNode): void {
  const isSelected = node.id === selected;
  if (!isSelected && !picked.has(node.id)) return;
  rounded(context, { x: x - 3, y: y - 3, width: width + 6, height: height + 6 }, 8);
  context.strokeStyle = colour("--focus");
  context.lineWidth = isSelected ? 2 : 1.25;
  context.stroke();
}

function drawNode(sheet: Sheet, placed: PlacedNode): void {
  const { context, colour, shown } = sheet;
  const { node, x, y, width, height } = placed;
  const { detail } = sheet.placed;
  context.globalAlpha = shown !== null && !shown.has(node.id) ? 0.25 : 1;
  if (detail === "far") drawSign(sheet, placed, x, y, height);
  else {
    drawCard(sheet, placed);
    drawSign(sheet, placed, x + 10, detail === "near" ? y + 10 : y + 7, 14);
    context.fillStyle = colour("--text-3");
    context.font = `11.5px ${MONO}`;
    context.fillText(cut(context, node.id, width - 40), x + 30, detail === "near" ? y + 21 : y + 18);
  }
  if (detail === "near") {
    context.textAlign = "right";
    context.font = `11px ${SANS}`;
    const size = node.kind === "work" ? `${node.hours} h` : node.kind === "land" ? "" : (node.kind ?? "");
    context.fillText(size, x + width - 10, y + 21);
    context.textAlign = "left";
    context.fillStyle = colour(node.status === "done" ? "--text-2" : "--text");
    context.font = `500 12px ${SANS}`;
    wrap(context, node.title, width - 20).forEach((line, index) => context.fillText(line, x + 10, y + 40 + index * 16));
  }
  drawRing(sheet, placed);
  context.globalAlpha = 1;
}

function drawPull({ context, colour }: Sheet, { from, x, y, over }: Pull): void {
  context.strokeStyle = colour("--focus");
  context.fillStyle = context.strokeStyle;
  context.lineWidth = 2;
  context.setLineDash([5, 4]);
  context.beginPath();
  context.moveTo(from.x + from.width, from.y + from.height / 2);
  context.lineTo(x, y);
  context.stroke();
  context.setLineDash([]);
  drawTip(context, x, y);
  if (!over || over === from) return;
  rounded(context, { x: over.x - 3, y: over.y - 3, width: over.width + 6, height: over.height + 6 }, 8);
  context.stroke();
}

/** Fits the canvas to its place and the screen's pixels, and clears it. */
function prepare(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, camera: Camera, colour: Palette): Box {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth, clientHeight } = canvas;
  if (canvas.width !== clientWidth * ratio || canvas.height !== clientHeight * ratio) {
    canvas.width = clientWidth * ratio;
    canvas.height = clientHeight * ratio;
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = colour("--bg");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(ratio * camera.zoom, 0, 0, ratio * camera.zoom, ratio * camera.x, ratio * camera.y);
  return {
    x: -camera.x / camera.zoom,
    y: -camera.y / camera.zoom,
    width: clientWidth / camera.zoom,
    height: clientHeight / camera.zoom,
  };
}

export interface Picture {
  readonly placed: Placed;
  readonly camera: Camera;
  readonly marks: Marks;
  readonly pull: Pull | null;
}

export function drawGraph(canvas: HTMLCanvasElement, { placed, camera, marks, pull }: Picture, colour: Palette): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const view = prepare(canvas, context, camera, colour);
  const sheet: Sheet = { context, colour, camera, view, placed, ...marks };
  drawColumns(sheet);
  for (const lane of placed.lanes) if (meets(lane, view)) drawLane(sheet, lane);
  drawEdges(sheet);
  for (const node of placed.nodes) if (meets(node, view)) drawNode(sheet, node);
  if (pull) drawPull(sheet, pull);
  drawWaveNames(sheet);
}
