// The plan as a tree: one line for each node, with why it stands where it does.

import { type CSSProperties, memo, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { StatusTree } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { go, usePlace } from "../frame/route.js";
import { Bar } from "../parts/bits.js";
import { Plain } from "../parts/prose.js";
import { Line, Sign } from "../parts/sign.js";
import { Empty } from "../parts/states.js";
import { isEmpty } from "./filter.js";
import { reasonWords } from "./reason-words.js";
import { type TreeRow, treeRows } from "./tree-rows.js";
import { type Plan, setOpen } from "./use-plan.js";
import { ROW, useVisible } from "./virtual.js";

interface RowProps {
  readonly node: StatusTree;
  readonly depth: number;
  readonly open: boolean | null;
  readonly selected: boolean;
  readonly current: boolean;
  readonly asks: boolean;
  readonly index: number;
}

function Reason({ node, asks }: { readonly node: StatusTree; readonly asks: boolean }) {
  const { short, asks: isForYou } = reasonWords(node);
  const words = short === "" && asks ? "waits for you" : short;
  if (words === "") return null;
  const forYou = isForYou && asks;
  return (
    <span className={`reason${forYou ? " ask" : ""}`} title={words}>
      {forYou && <Sign name="ask" size={12} />}
      <span>{words}</span>
    </span>
  );
}

const Row = memo(function Row({ node, depth, open, selected, current, asks, index }: RowProps) {
  const { id, title, tier, kind, status, progress } = node;
  const tag = kind === "work" ? null : kind;
  return (
    <div
      role="row"
      id={`row-${id}`}
      aria-level={depth + 1}
      aria-rowindex={index + 2}
      aria-expanded={open ?? undefined}
      aria-selected={selected}
      className={`node ${tier} ${status}${current ? " current" : ""}`}
      style={{ "--depth": depth, "--row": index } as CSSProperties}
      onClick={() => go({ item: id, tab: "overview" })}
    >
      <div role="gridcell" className="name">
        {open === null ? (
          <span className="leaf" />
        ) : (
          <button
            type="button"
            className="twist"
            tabIndex={-1}
            aria-label={open ? `Close ${id}` : `Open ${id}`}
            onClick={(event) => {
              event.stopPropagation();
              setOpen(id, !open);
            }}
          >
            <Line name={open ? "down" : "right"} size={12} />
          </button>
        )}
        <Sign name={status} />
        <span className="id">{id}</span>
        <span className="title">
          <Plain text={title} />
        </span>
        {tag !== null && <span className="tag">{tag}</span>}
      </div>
      <div role="gridcell" className="why-cell">
        <Reason node={node} asks={asks} />
      </div>
      <div role="gridcell" className="tail">
        {progress && progress.total > 0 && <Bar done={progress.finished} of={progress.total} />}
      </div>
    </div>
  );
});

function useTreeKeys(rows: readonly TreeRow[], at: number, move: (index: number) => void): void {
  const row = rows[at];
  const open = (value: boolean): void => {
    if (row?.open === !value) setOpen(row.node.id, value);
    else if (!value && row) {
      const above = rows.slice(0, at).findLastIndex(({ depth }) => depth < row.depth);
      if (above >= 0) move(above);
    } else if (row?.open) move(at + 1);
  };
  useKeys({
    j: () => move(at + 1),
    k: () => move(at - 1),
    ArrowDown: () => move(at + 1),
    ArrowUp: () => move(at - 1),
    ArrowRight: () => open(true),
    ArrowLeft: () => open(false),
    Home: () => move(0),
    End: () => move(rows.length - 1),
    Enter: () => row && go({ item: row.node.id, tab: "overview" }),
  });
}

/** The row that keys act on: it moves, is scrolled into view, and opens the panel if that is open. */
function useCursor(rows: readonly TreeRow[], scroller: RefObject<HTMLElement | null>): number {
  const { item } = usePlace();
  const [cursor, setCursor] = useState<string | null>(item);
  const indexOf = (id: string | null): number => rows.findIndex(({ node }) => node.id === id);
  const show = (index: number): void => {
    const element = scroller.current;
    if (!element || index < 0) return;
    const top = index * ROW;
    const bottom = top + 2 * ROW;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  };
  const at = Math.max(0, indexOf(cursor));
  useTreeKeys(rows, at, (index) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!next) return;
    setCursor(next.node.id);
    show(rows.indexOf(next));
    if (item !== null) go({ item: next.node.id, tab: "overview" }, { replace: true });
  });
  useEffect(() => {
    if (item === null) return;
    setCursor(item);
    show(indexOf(item));
  }, [item, rows.length]);
  return at;
}

const EMPTY = "No plan yet. Start from a spec: planwright plan SPEC.md";

export function TreeView({ plan }: { readonly plan: Plan }) {
  const { item } = usePlace();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => treeRows(plan.tree, plan), [plan.tree, plan.filter, plan.named, plan.isOpen, plan.branch]);
  const { from, to } = useVisible(scroller, rows.length);
  const at = useCursor(rows, scroller);
  if (rows.length === 0) return <Empty>{isEmpty(plan.filter) ? EMPTY : "Nothing matches the filter."}</Empty>;
  return (
    <div className="tree" ref={scroller}>
      <div
        role="treegrid"
        aria-label="The plan"
        aria-rowcount={rows.length + 1}
        tabIndex={0}
        aria-activedescendant={rows[at] ? `row-${rows[at].node.id}` : undefined}
      >
        <div role="row" className="thead" aria-rowindex={1}>
          <span role="columnheader">Node</span>
          <span role="columnheader">Why it stands there</span>
          <span role="columnheader">Progress</span>
        </div>
        <div role="rowgroup" className="rows-space" style={{ height: rows.length * ROW }}>
          {rows.slice(from, to).map(({ node, depth, open }, offset) => (
            <Row
              key={node.id}
              node={node}
              depth={depth}
              open={open}
              selected={node.id === item}
              current={from + offset === at}
              asks={plan.asks.has(node.id)}
              index={from + offset}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
