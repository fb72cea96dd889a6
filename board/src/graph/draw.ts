// Draws the graph on a canvas: only what is in view, and of that only what can be read at this size.

import { signPaths } from "../parts/sign-paths.js";
import { type Box, type Camera, COLUMN, detailAt, type Placed, type PlacedNode, TOP } from "./geometry.js";

/** Colours of the theme, by the name of their token. */
export type Palette = (token: string) => string;

export interface Marks {
  readonly selected: string | null;
  readonly asks: ReadonlySet<string>;
  readonly longest: boolean;
  /** What the filter leaves; null shows all. */
  readonly shown: ReadonlySet<string> | null;
}

interface Sheet extends Marks {
  readonly context: CanvasRenderingContext2D;
  readonly colour: Palette;
  readonly camera: Camera;
  readonly view: Box;
}

const meets = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && a.x + a.width > b.x && a.y < b.y + b.height && a.y + a.height > b.y;

function rounded(context: CanvasRenderingContext2D, { x, y, width, height }: Box, radius: number): void {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
}

/** As many words as fit, in at most two lines. */
function wrap(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    const longer = last === "" ? word : `${last} ${word}`;
    if (context.measureText(longer).width <= width || last === "") lines[lines.length - 1] = longer;
    else if (lines.length === 2) {
      lines[1] = `${last} …`;
      break;
    } else lines.push(word);
  }
  return lines;
}

function drawColumns({ context, colour, view, camera }: Sheet, placed: Placed): void {
  context.font = "550 12px Inter, sans-serif";
  for (let column = 0; column < placed.columns; column++) {
    const x = 14 + column * COLUMN;
    if (x > view.x + view.width || x + COLUMN < view.x) continue;
    context.fillStyle = colour("--line");
    if (column > 0) context.fillRect(x, view.y, 1 / camera.zoom, view.height);
    if (detailAt(camera.zoom) === "far") continue;
    context.fillStyle = colour("--text");
    context.fillText(`Wave ${column + 1}`, x + 12, TOP - 14);
  }
}

function drawLanes({ context, colour, view, camera }: Sheet, placed: Placed): void {
  for (const lane of placed.lanes) {
    if (!meets(lane, view)) continue;
    rounded(context, lane, 10);
    context.fillStyle = colour("--surface");
    context.globalAlpha = 0.72;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = colour("--line");
    context.lineWidth = 1;
    context.stroke();
    if (detailAt(camera.zoom) === "far") continue;
    context.fillStyle = colour("--text-3");
    context.font = "11.5px ui-monospace, monospace";
    const head = `${lane.open ? "▾" : "▸"} ${lane.id ?? ""}`;
    context.fillText(head, lane.x + 12, lane.y + 22);
    const at = lane.x + 12 + context.measureText(head).width + 10;
    context.fillStyle = colour("--text");
    context.font = "550 13px Inter, sans-serif";
    context.fillText(lane.title, at, lane.y + 22);
    if (!lane.progress) continue;
    const end = at + context.measureText(lane.title).width + 10;
    context.fillStyle = colour("--text-3");
    context.font = "12px Inter, sans-serif";
    context.fillText(`${lane.progress.finished}/${lane.progress.total}`, end, lane.y + 22);
  }
}

function drawEdges({ context, colour, view, longest }: Sheet, placed: Placed): void {
  for (const { from, to, state, critical } of placed.edges) {
    const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2];
    const around = {
      x: Math.min(x1, x2),
      y: Math.min(y1, y2),
      width: Math.abs(x2 - x1) + 1,
      height: Math.abs(y2 - y1) + 1,
    };
    if (!meets(around, view)) continue;
    const isBad = state === "rejected" || state === "dropped";
    const isMarked = longest && critical;
    context.strokeStyle = colour(isBad ? "--stop" : isMarked ? "--ink" : "--line-strong");
    context.globalAlpha = state === "met" && !isMarked ? 0.45 : 1;
    context.lineWidth = isMarked ? 2.5 : isBad ? 1.75 : 1.25;
    context.setLineDash(isBad ? [4, 3] : []);
    const bend = Math.max(14, Math.min(60, (x2 - x1) / 2));
    context.beginPath();
    context.moveTo(x1, y1);
    context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2 - 5, y2);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(x2 - 7, y2 - 3.5);
    context.lineTo(x2 - 7, y2 + 3.5);
    context.fillStyle = context.strokeStyle;
    context.fill();
    context.globalAlpha = 1;
  }
}

function drawSign({ context, colour, asks }: Sheet, { node }: PlacedNode, x: number, y: number, size: number): void {
  const name = asks.has(node.id) ? "ask" : node.status;
  const { tone, fill, stroke, over } = signPaths(name);
  context.save();
  context.translate(x, y);
  context.scale(size / 16, size / 16);
  context.fillStyle = colour(name === "ask" ? "--ask-mark" : `--${tone}`);
  context.strokeStyle = context.fillStyle;
  context.lineWidth = 1.6;
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

function drawNode(sheet: Sheet, placed: PlacedNode): void {
  const { context, colour, camera, selected, longest, shown } = sheet;
  const { node, x, y, width, height } = placed;
  const detail = detailAt(camera.zoom);
  context.globalAlpha = shown !== null && !shown.has(node.id) ? 0.25 : 1;
  if (detail === "far") {
    drawSign(sheet, placed, x + width / 2 - 22, y + height / 2 - 22, 44);
    context.globalAlpha = 1;
    return;
  }
  rounded(context, placed, 6);
  context.fillStyle = colour("--surface");
  context.fill();
  context.lineWidth = node.id === selected ? 2.5 : 1;
  context.strokeStyle = colour(node.id === selected ? "--focus" : (EDGE_OF[node.status] ?? "--line"));
  context.stroke();
  if (longest && node.critical) {
    context.fillStyle = colour("--ink");
    context.fillRect(x + 3, y + height - 2, width - 6, 2);
  }
  drawSign(sheet, placed, x + 10, y + 9, 13);
  context.fillStyle = colour("--text-3");
  context.font = `${detail === "near" ? 11.5 : 15}px ui-monospace, monospace`;
  context.fillText(node.id, x + 30, y + 20);
  if (detail === "near") {
    context.textAlign = "right";
    context.font = "11px Inter, sans-serif";
    context.fillText(node.kind === "work" ? `${node.hours} h` : (node.kind ?? ""), x + width - 10, y + 20);
    context.textAlign = "left";
    context.fillStyle = colour(node.status === "done" ? "--text-2" : "--text");
    context.font = "500 12px Inter, sans-serif";
    wrap(context, node.title, width - 20).forEach((line, index) => context.fillText(line, x + 10, y + 38 + index * 16));
  }
  context.globalAlpha = 1;
}

export function drawGraph(
  canvas: HTMLCanvasElement,
  placed: Placed,
  camera: Camera,
  colour: Palette,
  marks: Marks,
): void {
  const context = canvas.getContext("2d");
  if (!context) return;
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
  const view = {
    x: -camera.x / camera.zoom,
    y: -camera.y / camera.zoom,
    width: clientWidth / camera.zoom,
    height: clientHeight / camera.zoom,
  };
  const sheet: Sheet = { context, colour, camera, view, ...marks };
  drawColumns(sheet, placed);
  drawLanes(sheet, placed);
  drawEdges(sheet, placed);
  for (const node of placed.nodes) if (meets(node, view)) drawNode(sheet, node);
}
