import { describe, expect, it } from "vitest";
import {
  type Box,
  detailFor,
  fit,
  type Graph,
  laneHeadAt,
  nearestTo,
  neighbour,
  nodeAt,
  opening,
  place,
  zoomAt,
} from "./geometry.js";

const node = (id: string, lane: string, column: number, row: number) =>
  ({
    id,
    title: id,
    kind: "work",
    status: "ready",
    reason: "claimable",
    lane,
    hours: 1,
    critical: false,
    column,
    row,
  }) as const;

const GRAPH: Graph = {
  lanes: [
    { id: "F1", title: "One", rows: 2, progress: null },
    { id: "F2", title: "Two", rows: 1, progress: null },
  ],
  columns: 2,
  nodes: [node("A", "F1", 0, 0), node("B", "F1", 0, 1), node("C", "F1", 1, 0), node("D", "F2", 0, 0)],
  edges: [{ from: "A", to: "C", state: "pending" }],
  more: 0,
};

describe("the graph", () => {
  const open = place(GRAPH, () => true);

  it("puts lanes below each other and tasks in their columns, without overlaps", () => {
    const [one, two] = open.lanes;
    expect((one?.y ?? 0) + (one?.height ?? 0)).toBeLessThan(two?.y ?? 0);
    const apart = (a: Box, b: Box): boolean =>
      a === b || a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
    expect(open.nodes.every((a) => open.nodes.every((b) => apart(a, b)))).toBe(true);
  });

  it("leads a long edge around what stands in its row", () => {
    const wide = (row: number): Graph => ({
      ...GRAPH,
      columns: 3,
      nodes: [node("A", "F1", 0, 0), node("B", "F1", 1, row), node("C", "F1", 2, 0)],
    });
    expect(place(wide(1), () => true).edges[0]?.run).toBeNull();
    expect(place(wide(0), () => true).edges[0]?.run).toBeGreaterThan(0);
  });

  it("draws nothing of a lane that is shut", () => {
    const shut = place(GRAPH, (id) => id !== "F1");
    expect(shut.nodes.map((each) => each.node.id)).toEqual(["D"]);
    expect(shut.edges).toEqual([]);
    expect(shut.height).toBeLessThan(open.height);
  });

  it("finds what is under the pointer", () => {
    const [first] = open.nodes;
    expect(first && nodeAt(open, first.x + 1, first.y + 1)?.node.id).toBe("A");
    expect(laneHeadAt(open, 20, (open.lanes[1]?.y ?? 0) + 2)?.id).toBe("F2");
    expect(nodeAt(open, -5, -5)).toBeUndefined();
  });

  it.each([
    ["A", "ArrowRight", "C"],
    ["C", "ArrowLeft", "A"],
    ["A", "ArrowDown", "B"],
    ["B", "ArrowUp", "A"],
    ["B", "ArrowRight", undefined],
    ["unknown", "ArrowUp", "A"],
  ])("from %s, %s leads to %s", (from, key, to) => expect(neighbour(open, from, key)).toBe(to));

  it("zooms around the pointer, within limits", () => {
    const camera = zoomAt({ x: 10, y: 20, zoom: 1 }, 0.5, { x: 100, y: 50 });
    expect([(100 - camera.x) / camera.zoom, (50 - camera.y) / camera.zoom]).toEqual([90, 30]);
    expect(zoomAt(camera, 1_000, { x: 0, y: 0 }).zoom).toBe(1);
    expect(fit(open, { width: 100, height: 100 }).zoom).toBeLessThan(1);
    expect(opening({ width: 9_000, detail: "far" }, 900).zoom).toBe(0.55);
    expect(opening({ width: 1_000, detail: "far" }, 900).zoom).toBe(0.9);
    expect(opening({ width: 9_000, detail: "near" }, 900).zoom).toBe(1);
  });

  it("shows less of a node the farther it is, in the same order", () => {
    const far = place(GRAPH, () => true, "far");
    expect(far.nodes.map((each) => each.node.id)).toEqual(open.nodes.map((each) => each.node.id));
    expect(far.width).toBeLessThan(place(GRAPH, () => true, "mid").width);
    const isOpen = (): boolean => true;
    expect(detailFor(GRAPH, isOpen, { width: 2_000, height: 2_000 })).toBe("near");
    expect(detailFor(GRAPH, isOpen, { width: 380, height: 400 })).toBe("mid");
    expect(detailFor(GRAPH, isOpen, { width: 100, height: 100 })).toBe("far");
  });

  it("knows what stands nearest to a point", () => {
    const [, second] = open.nodes;
    expect(second && nearestTo(open, second.x - 30, second.y + 60)?.node.id).toBe("B");
    expect(
      nearestTo(
        place(GRAPH, () => false),
        0,
        0,
      ),
    ).toBeUndefined();
  });
});
