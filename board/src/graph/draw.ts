// Draws the graph on a canvas: only what is in view, and of each node only what its detail shows.

import { drawEdges } from "./draw-edges.js";
import { DOTS, drawDots, drawNode, drawPull } from "./draw-nodes.js";
import { type Box, type Camera, LANE_HEAD, LEFT, type Placed, type PlacedLane, SIZES, TOP } from "./geometry.js";
import { cut, type Marks, meets, type Palette, type Pull, rounded, type Sheet } from "./sheet.js";

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
    context.font = `550 12px ${colour("--font")}`;
    context.fillStyle = colour("--text");
    const name = `Wave ${index + 1}`;
    context.fillText(name, x, y + 22);
    if (placed.detail !== "near") continue;
    const after = x + context.measureText(name).width + 8;
    context.font = `12px ${colour("--font")}`;
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
  write(lane.id ?? "no feature", `11.5px ${colour("--mono")}`, "--text-3", 10);
  write(lane.title, `550 13px ${colour("--font")}`, "--text", 10);
  if (!lane.progress) return;
  const { finished, total } = lane.progress;
  drawBar(sheet, x, y - 2, total === 0 ? 0 : finished / total);
  x += 76;
  write(`${finished}/${total}`, `12px ${colour("--font")}`, "--text-3", 12);
  if (!lane.open) write(laneWords.get(lane.id) ?? "", `12px ${colour("--font")}`, "--text-3", 0);
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
  if (camera.zoom < DOTS) drawDots(sheet);
  else {
    drawEdges(sheet);
    for (const node of placed.nodes) if (meets(node, view)) drawNode(sheet, node);
  }
  if (pull) drawPull(sheet, pull);
  drawWaveNames(sheet);
}
