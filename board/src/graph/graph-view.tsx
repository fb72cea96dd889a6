// The plan as a graph: waves are columns, features are lanes. The server says where everything stands; a canvas draws it.

import "../styles/graph.css";
import { useEffect, useMemo, useState } from "react";
import { act } from "../api/act.js";
import { useRead } from "../api/reads.js";
import { useSignal } from "../api/signal.js";
import { useKeys } from "../frame/keys.js";
import { go, usePlace } from "../frame/route.js";
import { Line, Sign, type SignName } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { named } from "../parts/words.js";
import { isEmpty, matches } from "../plan/filter.js";
import { useNodeKeys } from "../plan/node-keys.js";
import { selection, toggleSelected } from "../plan/selection.js";
import type { Plan } from "../plan/use-plan.js";
import { type Detail, detailFor, firstDetail, type Graph, type GraphNode, neighbour, place } from "./geometry.js";
import { longestPath } from "./longest-path.js";
import { Peek } from "./peek.js";
import type { Marks } from "./sheet.js";
import { useCanvas } from "./use-canvas.js";
import { laneWords, waveWords } from "./wave-words.js";

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

/** More are found with the filter. */
const LISTED = 300;

/** The same nodes in the order of their waves: what a screen reader gets. */
function TextList({ graph, select }: { readonly graph: Graph; readonly select: (id: string) => void }) {
  const nodes = [...graph.nodes].sort((a, b) => a.column - b.column || a.row - b.row);
  const waits = new Map<string, string[]>();
  for (const { from, to } of graph.edges) waits.set(to, [...(waits.get(to) ?? []), from]);
  const after = (id: string): string => (waits.has(id) ? `, after ${named(waits.get(id) ?? [])}` : "");
  return (
    <ol className="sr" aria-label="Tasks in the order of their waves">
      {nodes.slice(0, LISTED).map(({ id, title, status, column }) => (
        <li key={id}>
          <button type="button" tabIndex={-1} onClick={() => select(id)}>
            {`Wave ${column + 1}: ${id}, ${status.replace("_", " ")}, ${title}${after(id)}`}
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

function Tools({ zoomIn, zoomOut, fitAll }: ToolsProps) {
  return (
    <div className="graph-tools" role="group" aria-label="Zoom">
      <button type="button" className="icon" aria-label="Nearer" title="+" onClick={zoomIn}>
        <Line name="plus" size={14} />
      </button>
      <button type="button" className="icon" aria-label="Farther" title="-" onClick={zoomOut}>
        <Line name="minus" size={14} />
      </button>
      <button type="button" className="icon" aria-label="Show everything" title="0" onClick={fitAll}>
        <Line name="fit" size={14} />
      </button>
    </div>
  );
}

interface ToolsProps {
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly fitAll: () => void;
}

function useMarks(graph: Graph, plan: Plan, selected: string | null): Marks {
  const longest = useSignal(longestPath);
  const picked = useSignal(selection);
  const shown = useShownNodes(graph, plan);
  const waves = useMemo(() => waveWords(graph), [graph]);
  const words = useMemo(() => {
    const byLane = new Map<string | null, GraphNode[]>();
    for (const node of graph.nodes) {
      const nodes = byLane.get(node.lane) ?? [];
      nodes.push(node);
      byLane.set(node.lane, nodes);
    }
    return new Map([...byLane].map(([lane, nodes]) => [lane, laneWords(nodes, plan.asks)]));
  }, [graph, plan.asks]);
  return { selected, asks: plan.asks, longest, shown, picked, waves, laneWords: words };
}

const link = (first: string, then: string): void =>
  void act("link", { reference: then, on: [first] }, `${then} waits for ${first} now.`);

/** The node that keys act on. Moving on shows it in the panel, or in the peek if no panel is open. */
function useSelected(): {
  readonly selected: string | null;
  readonly select: (id: string) => void;
  readonly peeks: boolean;
  readonly setPeeks: (peeks: boolean) => void;
} {
  const { item } = usePlace();
  const [selected, setSelected] = useState<string | null>(item);
  const [peeks, setPeeks] = useState(false);
  useEffect(() => {
    if (item !== null) setSelected(item);
  }, [item]);
  const select = (id: string): void => {
    setSelected(id);
    if (item === null) setPeeks(true);
    else go({ item: id, tab: "overview" }, { replace: true });
  };
  return { selected, select, peeks: peeks && item === null, setPeeks };
}

function Drawing({ graph, plan }: { readonly graph: Graph; readonly plan: Plan }) {
  const { selected, select, peeks, setPeeks } = useSelected();
  const [detail, setDetail] = useState<Detail>(() => firstDetail(graph.nodes.length));
  const mayAct = useMayAct();
  const { isOpen, toggle } = useLanes(graph);
  const placed = useMemo(() => place(graph, isOpen, detail), [graph, isOpen, detail]);
  const marks = useMarks(graph, plan, selected);
  const actions = { select, toggle, setDetail, link: mayAct ? link : undefined };
  const { canvas, reveal, handlers, zoomIn, zoomOut, restart } = useCanvas(placed, marks, actions);
  const fitAll = (): void => {
    const element = canvas.current;
    if (element) setDetail(detailFor(graph, isOpen, { width: element.clientWidth, height: element.clientHeight }));
    restart();
  };
  useEffect(() => {
    if (selected !== null) reveal(selected);
  }, [selected]);
  const arrow = (event: KeyboardEvent): void => {
    const next = neighbour(placed, selected ?? "", event.key);
    if (next !== undefined) select(next);
  };
  const open = (full: boolean) => (): void => {
    if (selected !== null) go({ item: selected, tab: "overview", full });
  };
  useNodeKeys(selected);
  useKeys({
    ArrowLeft: arrow,
    ArrowRight: arrow,
    ArrowUp: arrow,
    ArrowDown: arrow,
    " ": () => setPeeks(!peeks),
    Enter: open(false),
    o: open(false),
    "shift+Enter": open(true),
    x: () => selected !== null && toggleSelected(selected),
    "+": zoomIn,
    "-": zoomOut,
    "0": fitAll,
    ...(peeks && { Escape: () => setPeeks(false) }),
  });
  const label = `Graph of ${graph.nodes.length} tasks in ${graph.columns} waves. Arrow keys follow the edges.`;
  return (
    <div className="graph" data-detail={detail}>
      <canvas ref={canvas} tabIndex={0} role="img" aria-label={label} {...handlers} />
      <TextList graph={graph} select={select} />
      <Legend />
      <Tools zoomIn={zoomIn} zoomOut={zoomOut} fitAll={fitAll} />
      {graph.more > 0 && (
        <p className="graph-more">{graph.more} more tasks are not drawn. Filter, or open one feature.</p>
      )}
      {peeks && selected !== null && <Peek id={selected} />}
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
