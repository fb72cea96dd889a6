// Where everything of the graph is, in units of the drawing: from the server's columns and rows. Pure.

import type { Output } from "../api/types.js";

export type Graph = Output<"graph">;
export type GraphNode = Graph["nodes"][number];

export const NODE = { width: 164, height: 64 } as const;
export const COLUMN = 200;
const ROW = 78;
const LANE_HEAD = 34;
const LANE_GAP = 12;
const LEFT = 24;
export const TOP = 36;

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

export interface Placed {
  readonly lanes: readonly PlacedLane[];
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly {
    readonly from: PlacedNode;
    readonly to: PlacedNode;
    readonly state: string;
    readonly critical: boolean;
  }[];
  readonly columns: number;
  readonly width: number;
  readonly height: number;
}

/** A lane that is shut is one line, and what is in it is not drawn. */
export function place(graph: Graph, isOpen: (lane: string | null) => boolean): Placed {
  const width = LEFT + graph.columns * COLUMN;
  const tops = new Map<string | null, number>();
  let y = TOP;
  const lanes = graph.lanes.map(({ id, title, rows, progress }) => {
    const open = isOpen(id);
    const height = LANE_HEAD + (open ? rows * ROW + 4 : 0);
    tops.set(id, y);
    const lane = { id, title, open, progress, x: 12, y, width: width - 16, height };
    y += height + LANE_GAP;
    return lane;
  });
  const nodes = graph.nodes
    .filter(({ lane }) => isOpen(lane) && tops.has(lane))
    .map((node) => ({
      node,
      x: LEFT + node.column * COLUMN,
      y: (tops.get(node.lane) ?? 0) + LANE_HEAD + node.row * ROW,
      ...NODE,
    }));
  const byId = new Map(nodes.map((placed) => [placed.node.id, placed]));
  const edges = graph.edges.flatMap(({ from, to, state }) => {
    const [a, b] = [byId.get(from), byId.get(to)];
    return a && b ? [{ from: a, to: b, state, critical: a.node.critical && b.node.critical }] : [];
  });
  return { lanes, nodes, edges, columns: graph.columns, width, height: y + 40 };
}

export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export const ZOOM = { least: 0.06, most: 1.6, near: 0.7, mid: 0.32 } as const;

/** What a node shows depends on how near it is. */
export const detailAt = (zoom: number): "near" | "mid" | "far" =>
  zoom >= ZOOM.near ? "near" : zoom >= ZOOM.mid ? "mid" : "far";

const clamp = (zoom: number): number => Math.max(ZOOM.least, Math.min(ZOOM.most, zoom));

/** Zooms so that the point under the pointer stays where it is. */
export function zoomAt(camera: Camera, factor: number, at: { readonly x: number; readonly y: number }): Camera {
  const zoom = clamp(camera.zoom * factor);
  const ratio = zoom / camera.zoom;
  return { zoom, x: at.x - (at.x - camera.x) * ratio, y: at.y - (at.y - camera.y) * ratio };
}

/** Everything in view, but never larger than life. */
export function fit(
  placed: Pick<Placed, "width" | "height">,
  view: { readonly width: number; readonly height: number },
): Camera {
  const zoom = clamp(Math.min(1, view.width / placed.width, view.height / placed.height));
  return { zoom, x: Math.max(0, (view.width - placed.width * zoom) / 2), y: 0 };
}

const isIn = (box: Box, x: number, y: number): boolean =>
  x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;

export const nodeAt = (placed: Placed, x: number, y: number): PlacedNode | undefined =>
  placed.nodes.find((node) => isIn(node, x, y));

export const laneHeadAt = (placed: Placed, x: number, y: number): PlacedLane | undefined =>
  placed.lanes.find((lane) => isIn({ ...lane, height: LANE_HEAD }, x, y));

/** The node that an arrow key leads to: along an edge to the left or right, in the column up or down. */
export function neighbour(placed: Placed, id: string, key: string): string | undefined {
  const here = placed.nodes.find(({ node }) => node.id === id);
  if (!here) return placed.nodes[0]?.node.id;
  if (key === "ArrowRight") return placed.edges.find(({ from }) => from === here)?.to.node.id;
  if (key === "ArrowLeft") return placed.edges.find(({ to }) => to === here)?.from.node.id;
  const column = placed.nodes.filter(({ node }) => node.column === here.node.column).sort((a, b) => a.y - b.y);
  return column[column.indexOf(here) + (key === "ArrowDown" ? 1 : -1)]?.node.id;
}
