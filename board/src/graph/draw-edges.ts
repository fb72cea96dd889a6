// Draws who waits for whom.

import { type PlacedEdge, SIZES } from "./geometry.js";
import { meets, type Sheet } from "./sheet.js";

/** Edges to the next wave bend once; longer ones run along a row, or below it where something stands there. */
function trace(context: CanvasRenderingContext2D, { from, to, run }: PlacedEdge, gap: number): void {
  const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2];
  const half = gap / 2;
  context.moveTo(x1, y1);
  if (to.node.column - from.node.column < 2) {
    context.bezierCurveTo(x1 + half, y1, x2 - half, y2, x2, y2);
    return;
  }
  const along = run ?? Math.max(y1, y2);
  if (along !== y1) context.bezierCurveTo(x1 + half, y1, x1 + half, along, x1 + gap, along);
  context.lineTo(along === y2 ? x2 : x2 - gap, along);
  if (along !== y2) context.bezierCurveTo(x2 - half, along, x2 - half, y2, x2, y2);
}

export function drawTip(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - 7, y - 3.5);
  context.lineTo(x - 7, y + 3.5);
  context.fill();
}

type EdgeLook = "met" | "open" | "bad" | "marked" | "faint";

const EDGE_LOOKS: Readonly<Record<EdgeLook, readonly [token: string, alpha: number, width: number]>> = {
  faint: ["--line-strong", 0.2, 1.25],
  met: ["--line-strong", 0.5, 1.25],
  open: ["--line-strong", 1, 1.25],
  bad: ["--stop", 1, 1.75],
  marked: ["--ink", 1, 2.25],
};

function lookOf({ from, to, state, critical }: PlacedEdge, { longest, shown }: Sheet): EdgeLook {
  if (shown !== null && !(shown.has(from.node.id) && shown.has(to.node.id))) return "faint";
  if (state === "rejected" || state === "dropped") return "bad";
  if (longest && critical) return "marked";
  return state === "met" ? "met" : "open";
}

/** All of one look in one stroke: thousands of them are drawn while you move. */
export function drawEdges(sheet: Sheet): void {
  const { context, colour, view, placed } = sheet;
  const { column, width } = SIZES[placed.detail];
  const seen = new Map<EdgeLook, PlacedEdge[]>();
  for (const edge of placed.edges) {
    const { from, to } = edge;
    const [y, height] = [Math.min(from.y, to.y), Math.abs(to.y - from.y) + from.height];
    if (!meets({ x: from.x, y, width: to.x - from.x + 1, height }, view)) continue;
    const look = lookOf(edge, sheet);
    const alike = seen.get(look) ?? [];
    alike.push(edge);
    seen.set(look, alike);
  }
  for (const [look, [token, alpha, thickness]] of Object.entries(EDGE_LOOKS)) {
    const edges = seen.get(look as EdgeLook) ?? [];
    context.strokeStyle = colour(token);
    context.fillStyle = context.strokeStyle;
    context.globalAlpha = alpha;
    context.lineWidth = thickness;
    context.setLineDash(look === "bad" ? [4, 3] : []);
    context.beginPath();
    for (const edge of edges) trace(context, edge, column - width);
    context.stroke();
    context.setLineDash([]);
    if (placed.detail !== "far") for (const { to } of edges) drawTip(context, to.x, to.y + to.height / 2);
  }
  context.globalAlpha = 1;
}
