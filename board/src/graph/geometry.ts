// Where everything of the graph is, in units of the drawing: from the server's columns and rows. Pure.

import type { Output } from "../api/types.js";

export type Graph = Output<"graph">;
export type GraphNode = Graph["nodes"][number];

/** What a node shows: a card, its sign and id, or its sign alone. */
export const DETAILS = ["far", "mid", "near"] as const;
export type Detail = (typeof DETAILS)[number];

interface Sizes {
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

export const SIZES: Readonly<Record<Detail, Sizes>> = {
  near: { column: 200, row: 80, width: 168, height: 66 },
  mid: { column: 168, row: 38, width: 136, height: 28 },
  far: { column: 36, row: 22, width: 16, height: 16 },
};

export const LANE_HEAD = 34;
const LANE_GAP = 12;
export const LEFT = 24;
/** Room for the names of the waves, which stay at the top. */
export const TOP = 40;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedLane extends Box {
  readonly id: string | null;
  readonly title: string;
  readonly open: boolean;
  readonly progress: { readonly finished: number; readonly total: number } | null;
}

export interface PlacedNode extends Box {
  readonly node: GraphNode;
}

export interface PlacedEdge {
  readonly from: PlacedNode;
  readonly to: PlacedNode;
  readonly state: string;
  readonly critical: boolean;
  /** Where a long one runs, so that it does not pass through another node; null if its row is free. */
  readonly run: number | null;
}

export interface Placed {
  readonly detail: Detail;
  readonly lanes: readonly PlacedLane[];
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly columns: number;
  readonly width: number;
  readonly height: number;
}

/** A lane that is shut is one line, and what is in it is not drawn. */
export function place(graph: Graph, isOpen: (lane: string | null) => boolean, detail: Detail = "near"): Placed {
  const { column, row, width: nodeWidth, height: nodeHeight } = SIZES[detail];
  const width = LEFT + Math.max(0, graph.columns - 1) * column + nodeWidth + 24;
  const tops = new Map<string | null, number>();
  let y = TOP;
  const lanes = graph.lanes.map(({ id, title, rows, progress }) => {
    const open = isOpen(id);
    const height = LANE_HEAD + (open ? rows * row + 4 : 0);
    tops.set(id, y);
    const lane = { id, title, open, progress, x: 12, y, width: width - 24, height };
    y += height + LANE_GAP;
    return lane;
  });
  const nodes = graph.nodes
    .filter(({ lane }) => isOpen(lane) && tops.has(lane))
    .map((node) => ({
      node,
      x: LEFT + node.column * column,
      y: (tops.get(node.lane) ?? 0) + LANE_HEAD + node.row * row,
      width: nodeWidth,
      height: nodeHeight,
    }));
  const byId = new Map(nodes.map((placed) => [placed.node.id, placed]));
  const taken = new Set(nodes.map(cellOf));
  const edges = graph.edges.flatMap(({ from, to, state }) => {
    const [a, b] = [byId.get(from), byId.get(to)];
    if (!a || !b) return [];
    const run = isFree(taken, a, b) ? null : a.y + nodeHeight + (row - nodeHeight) / 2;
    return [{ from: a, to: b, state, critical: a.node.critical && b.node.critical, run }];
  });
  return { detail, lanes, nodes, edges, columns: graph.columns, width, height: y + 60 };
}

const cellOf = ({ node, y }: PlacedNode): string => `${node.column} ${y}`;

/** Whether nothing stands between the two in the lower of their rows, along which the edge would run. */
function isFree(taken: ReadonlySet<string>, from: PlacedNode, to: PlacedNode): boolean {
  const y = Math.max(from.y, to.y);
  for (let column = from.node.column + 1; column < to.node.column; column++) {
    if (taken.has(`${column} ${y}`)) return false;
  }
  return true;
}

export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

const LEAST_ZOOM = 0.1;

const clamp = (zoom: number): number => Math.max(LEAST_ZOOM, Math.min(1, zoom));

/** Zooms so that the point under the pointer stays where it is. Signs alone can be made smaller; what can be read never is. */
export function zoomAt(camera: Camera, factor: number, at: { readonly x: number; readonly y: number }): Camera {
  const zoom = clamp(camera.zoom * factor);
  const ratio = zoom / camera.zoom;
  return { zoom, x: at.x - (at.x - camera.x) * ratio, y: at.y - (at.y - camera.y) * ratio };
}

/** Where a plan opens: at its beginning, as wide as the window, with signs that can be told apart. */
const TOLD_APART = 0.55;

export const opening = (placed: Pick<Placed, "width" | "detail">, width: number): Camera => ({
  x: 0,
  y: 0,
  zoom: placed.detail === "far" ? Math.max(TOLD_APART, Math.min(1, width / placed.width)) : 1,
});

/** Everything in view, but never larger than life. */
export function fit(
  placed: Pick<Placed, "width" | "height">,
  view: { readonly width: number; readonly height: number },
): Camera {
  const zoom = clamp(Math.min(1, view.width / placed.width, view.height / placed.height));
  return { zoom, x: 0, y: 0 };
}

/** The most that can be read while all of it is in view; signs alone if it is too much for that. */
export function detailFor(
  graph: Graph,
  isOpen: (lane: string | null) => boolean,
  view: { readonly width: number; readonly height: number },
): Detail {
  const fits = (detail: Detail): boolean => {
    const { width, height } = place(graph, isOpen, detail);
    return width <= view.width && height <= view.height;
  };
  return fits("near") ? "near" : fits("mid") ? "mid" : "far";
}

/** A large plan opens from afar. */
const [NEAR_MOST, MID_MOST] = [150, 600];

export const firstDetail = (nodes: number): Detail => (nodes <= NEAR_MOST ? "near" : nodes <= MID_MOST ? "mid" : "far");

const isIn = (box: Box, x: number, y: number): boolean =>
  x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;

export const nodeAt = (placed: Placed, x: number, y: number): PlacedNode | undefined =>
  placed.nodes.find((node) => isIn(node, x, y));

export const laneHeadAt = (placed: Placed, x: number, y: number): PlacedLane | undefined =>
  placed.lanes.find((lane) => isIn({ ...lane, height: LANE_HEAD }, x, y));

/** The node that stands nearest to a point: what stays in place when the detail changes. */
export function nearestTo(placed: Placed, x: number, y: number): PlacedNode | undefined {
  let best: PlacedNode | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const node of placed.nodes) {
    const away = (node.x + node.width / 2 - x) ** 2 + (node.y + node.height / 2 - y) ** 2;
    if (away < least) [best, least] = [node, away];
  }
  return best;
}

/** The node that an arrow key leads to: along an edge to the left or right, in the column up or down. */
export function neighbour(placed: Placed, id: string, key: string): string | undefined {
  const here = placed.nodes.find(({ node }) => node.id === id);
  if (!here) return placed.nodes[0]?.node.id;
  if (key === "ArrowRight") return placed.edges.find(({ from }) => from === here)?.to.node.id;
  if (key === "ArrowLeft") return placed.edges.find(({ to }) => to === here)?.from.node.id;
  const column = placed.nodes.filter(({ node }) => node.column === here.node.column).sort((a, b) => a.y - b.y);
  return column[column.indexOf(here) + (key === "ArrowDown" ? 1 : -1)]?.node.id;
}
