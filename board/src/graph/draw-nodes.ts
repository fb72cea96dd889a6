// Draws the tasks: as cards, as ids or as signs.

import type { SignName } from "../parts/sign.js";
import { signPaths } from "../parts/sign-paths.js";
import { drawTip } from "./draw-edges.js";
import type { PlacedNode } from "./geometry.js";
import { cut, meets, type Pull, rounded, type Sheet, wrap } from "./sheet.js";

/** Finer than any screen shows it. */
const STAMP = 48;
const stamps = new Map<string, HTMLCanvasElement>();

function drawShape(context: CanvasRenderingContext2D, name: SignName, colour: string, over: string): void {
  const paths = signPaths(name);
  context.scale(STAMP / 16, STAMP / 16);
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineWidth = 1.6;
  if (name === "planned") context.setLineDash([2.4, 2.1]);
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas is filled, not an array
  if (paths.fill !== "") context.fill(new Path2D(paths.fill));
  if (paths.stroke !== "") context.stroke(new Path2D(paths.stroke));
  context.setLineDash([]);
  context.strokeStyle = over;
  context.lineWidth = 1.8;
  if (paths.over !== "") context.stroke(new Path2D(paths.over));
}

/** Each sign is drawn once for its colours, and copied from then on. */
function stampOf(name: SignName, colour: string, over: string): HTMLCanvasElement {
  const key = `${name} ${colour} ${over}`;
  const known = stamps.get(key);
  if (known) return known;
  const stamp = document.createElement("canvas");
  stamp.width = STAMP;
  stamp.height = STAMP;
  const context = stamp.getContext("2d");
  if (context) drawShape(context, name, colour, over);
  stamps.set(key, stamp);
  return stamp;
}

function drawSign({ context, colour, asks }: Sheet, { node }: PlacedNode, x: number, y: number, size: number): void {
  const name = asks.has(node.id) && node.status !== "rejected" ? "ask" : node.status;
  const fill = colour(name === "ask" ? "--ask-mark" : `--${signPaths(name).tone}`);
  const over = colour(name === "ask" ? "--on-ask" : "--surface");
  context.drawImage(stampOf(name, fill, over), x, y, size, size);
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

export function drawNode(sheet: Sheet, placed: PlacedNode): void {
  const { context, colour, shown } = sheet;
  const { node, x, y, width, height } = placed;
  const { detail } = sheet.placed;
  context.globalAlpha = shown !== null && !shown.has(node.id) ? 0.25 : 1;
  if (detail === "far") drawSign(sheet, placed, x, y, height);
  else {
    drawCard(sheet, placed);
    drawSign(sheet, placed, x + 10, detail === "near" ? y + 10 : y + 7, 14);
    context.fillStyle = colour("--text-3");
    context.font = `11.5px ${colour("--mono")}`;
    context.fillText(cut(context, node.id, width - 40), x + 30, detail === "near" ? y + 21 : y + 18);
  }
  if (detail === "near") {
    context.textAlign = "right";
    context.font = `11px ${colour("--font")}`;
    const size = node.kind === "work" ? `${node.hours} h` : node.kind === "land" ? "" : (node.kind ?? "");
    context.fillText(size, x + width - 10, y + 21);
    context.textAlign = "left";
    context.fillStyle = colour(node.status === "done" ? "--text-2" : "--text");
    context.font = `500 12px ${colour("--font")}`;
    wrap(context, node.title, width - 20).forEach((line, index) => context.fillText(line, x + 10, y + 40 + index * 16));
  }
  drawRing(sheet, placed);
  context.globalAlpha = 1;
}

/** So small that neither a shape nor an edge can be told apart: squares by colour, of which thousands are drawn at once. */
export const DOTS = 0.5;

export function drawDots(sheet: Sheet): void {
  const { context, colour, view, placed, asks, shown } = sheet;
  const byTone = new Map<string, PlacedNode[]>();
  for (const each of placed.nodes) {
    if (!meets(each, view) || (shown !== null && !shown.has(each.node.id))) continue;
    const token = asks.has(each.node.id) ? "--ask-mark" : `--${signPaths(each.node.status).tone}`;
    const alike = byTone.get(token) ?? [];
    alike.push(each);
    byTone.set(token, alike);
  }
  for (const [token, nodes] of byTone) {
    context.fillStyle = colour(token);
    context.beginPath();
    for (const { x, y, width, height } of nodes) context.rect(x, y, width, height);
    context.fill();
  }
  for (const each of placed.nodes) drawRing(sheet, each);
}

export function drawPull({ context, colour }: Sheet, { from, x, y, over }: Pull): void {
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
