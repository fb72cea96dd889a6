// The plan as a graph: waves are columns, features are lanes. The server says where everything stands; a canvas draws it.

import "../styles/graph.css";
import { useEffect, useMemo, useState } from "react";
import { useRead } from "../api/reads.js";
import { useKeys } from "../frame/keys.js";
import { go, usePlace } from "../frame/route.js";
import { Button } from "../parts/button.js";
import { Line, Sign, type SignName } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { isEmpty, matches } from "../plan/filter.js";
import type { Plan } from "../plan/use-plan.js";
import { type Graph, neighbour, place } from "./geometry.js";
import { Peek } from "./peek.js";
import { useCanvas } from "./use-canvas.js";

const LEGEND: readonly SignName[] = ["done", "in_progress", "ready", "blocked", "rejected", "frozen", "planned", "ask"];

function Legend() {
  return (
    <p className="legend">
      {LEGEND.map((name) => (
        <span key={name}>
          <Sign name={name} size={12} />
          {name === "ask" ? "waits for you" : name.replace("_", " ")}
        </span>
      ))}
    </p>
  );
}

/** The same nodes in the order of their waves: what a screen reader gets. */
function TextList({ graph, select }: { readonly graph: Graph; readonly select: (id: string) => void }) {
  const nodes = [...graph.nodes].sort((a, b) => a.column - b.column || a.row - b.row);
  return (
    <ol className="sr" aria-label="Tasks in the order of their waves">
      {nodes.slice(0, 300).map(({ id, title, status, column }) => (
        <li key={id}>
          <button type="button" tabIndex={-1} onClick={() => select(id)}>
            {`Wave ${column + 1}: ${id}, ${status.replace("_", " ")}, ${title}`}
          </button>
        </li>
      ))}
    </ol>
  );
}

function useShownNodes(graph: Graph, plan: Plan): ReadonlySet<string> | null {
  return useMemo(() => {
    if (isEmpty(plan.filter)) return null;
    const fits = (node: Graph["nodes"][number]): boolean =>
      matches({ ...node, because: [] }, [node.lane ?? "", node.id], plan.filter, plan.named);
    return new Set(graph.nodes.filter(fits).map(({ id }) => id));
  }, [graph, plan.filter, plan.named]);
}

/** Which lanes are open: those that are not finished, unless you said otherwise. */
function useLanes(graph: Graph): {
  readonly isOpen: (id: string | null) => boolean;
  readonly toggle: (id: string | null) => void;
} {
  const [shut, setShut] = useState<ReadonlyMap<string | null, boolean>>(new Map());
  return useMemo(() => {
    const finished = new Set(
      graph.lanes
        .filter(({ progress }) => progress !== null && progress.finished === progress.total)
        .map(({ id }) => id),
    );
    const isOpen = (id: string | null): boolean => !(shut.get(id) ?? finished.has(id));
    return { isOpen, toggle: (id) => setShut((known) => new Map([...known, [id, isOpen(id)]])) };
  }, [graph, shut]);
}

function Tools({ longest, setLongest, zoomIn, zoomOut, fitAll }: ToolsProps) {
  return (
    <div className="graph-tools">
      <Button pressed={longest} onClick={() => setLongest(!longest)}>
        <Line name="thread" size={14} /> Longest path
      </Button>
      <button type="button" className="icon" aria-label="Zoom in" onClick={zoomIn}>
        <Line name="plus" size={14} />
      </button>
      <button type="button" className="icon" aria-label="Zoom out" onClick={zoomOut}>
        <Line name="minus" size={14} />
      </button>
      <button type="button" className="icon" aria-label="Show everything" onClick={fitAll}>
        <Line name="fit" size={14} />
      </button>
    </div>
  );
}

interface ToolsProps extends Pick<ReturnType<typeof useCanvas>, "zoomIn" | "zoomOut" | "fitAll"> {
  readonly longest: boolean;
  readonly setLongest: (longest: boolean) => void;
}

function Drawing({ graph, plan }: { readonly graph: Graph; readonly plan: Plan }) {
  const { item } = usePlace();
  const [selected, setSelected] = useState<string | null>(item);
  const [peeks, setPeeks] = useState(false);
  const [longest, setLongest] = useState(true);
  const { isOpen, toggle } = useLanes(graph);
  const placed = useMemo(() => place(graph, isOpen), [graph, isOpen]);
  const shown = useShownNodes(graph, plan);
  const select = (id: string): void => {
    setSelected(id);
    if (item !== null) go({ item: id, tab: "overview" }, { replace: true });
    else setPeeks(true);
  };
  const marks = { selected, asks: plan.asks, longest, shown };
  const { canvas, reveal, handlers, ...tools } = useCanvas(placed, marks, { select, toggle });
  useEffect(() => {
    if (selected !== null) reveal(selected);
  }, [selected]);
  const arrow = (event: KeyboardEvent): void => {
    const next = neighbour(placed, selected ?? "", event.key);
    if (next !== undefined) select(next);
  };
  useKeys({
    ArrowLeft: arrow,
    ArrowRight: arrow,
    ArrowUp: arrow,
    ArrowDown: arrow,
    " ": () => setPeeks((known) => !known),
    Enter: () => selected !== null && go({ item: selected, tab: "overview" }),
    "+": tools.zoomIn,
    "-": tools.zoomOut,
    "0": tools.fitAll,
    ...(peeks && item === null && { Escape: () => setPeeks(false) }),
  });
  const label = `Graph of ${graph.nodes.length} tasks in ${graph.columns} waves. Arrow keys follow the edges.`;
  return (
    <div className="graph">
      <canvas ref={canvas} tabIndex={0} role="img" aria-label={label} {...handlers} />
      <TextList graph={graph} select={select} />
      <Legend />
      <Tools longest={longest} setLongest={setLongest} {...tools} />
      {graph.more > 0 && (
        <p className="graph-more">{graph.more} more tasks are not drawn. Filter, or open one feature.</p>
      )}
      {peeks && selected !== null && item === null && <Peek id={selected} />}
    </div>
  );
}

export default function GraphView({ plan }: { readonly plan: Plan }) {
  const { filter } = plan;
  const [within] = filter.within;
  const read = useRead("graph", within === undefined ? { limit: 10_000 } : { reference: within, limit: 10_000 });
  return (
    <Shown read={read}>
      {(graph) => (graph.nodes.length === 0 ? <Empty>No tasks to draw.</Empty> : <Drawing graph={graph} plan={plan} />)}
    </Shown>
  );
}
