// The plan as a tree: one line for each node, with why it stands where it does.

import { type CSSProperties, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useSignal } from "../api/signal.js";
import { useKeys } from "../frame/keys.js";
import { go, usePlace } from "../frame/route.js";
import { NoPlan } from "../parts/no-plan.js";
import { Empty } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { dropPlace } from "./drag.js";
import { isEmpty } from "./filter.js";
import { useNodeKeys } from "./node-keys.js";
import { setOpen } from "./open-branches.js";
import { useRunning } from "./running.js";
import { selection, toggleSelected } from "./selection.js";
import { Row } from "./tree-row.js";
import { type TreeRow, treeRows } from "./tree-rows.js";
import type { Plan } from "./use-plan.js";
import { useRowHeight, useVisible } from "./virtual.js";

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
    "shift+Enter": () => row && go({ item: row.node.id, tab: "overview", full: true }),
    x: () => row && toggleSelected(row.node.id),
  });
}

/** The row that keys act on: it moves, is scrolled into view, and opens the panel if that is open. */
function useCursor(rows: readonly TreeRow[], scroller: RefObject<HTMLElement | null>, height: number): number {
  const { item } = usePlace();
  const [cursor, setCursor] = useState<string | null>(item);
  const indexOf = (id: string | null): number => rows.findIndex(({ node }) => node.id === id);
  const show = (index: number): void => {
    const element = scroller.current;
    if (!element || index < 0) return;
    const top = index * height;
    const bottom = top + 2 * height;
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
  }, [item, rows.length, indexOf(item) >= 0]);
  return at;
}

function Rows({ rows, plan, at, from, to, height }: RowsProps) {
  const { item } = usePlace();
  const picked = useSignal(selection);
  const drop = useSignal(dropPlace);
  const running = useRunning();
  const mayMove = useMayAct();
  return (
    <div
      role="rowgroup"
      className="rows-space"
      style={{ height: rows.length * height, "--row-height": `${height}px` } as CSSProperties}
    >
      {rows.slice(from, to).map(({ node, depth, open }, offset) => (
        <Row
          key={node.id}
          node={node}
          depth={depth}
          open={open}
          shown={node.id === item}
          picked={picked.has(node.id)}
          current={from + offset === at}
          asks={plan.asks.has(node.id)}
          attempt={running.get(node.id)}
          index={from + offset}
          mayMove={mayMove}
          drop={drop?.id === node.id ? drop.where : null}
        />
      ))}
    </div>
  );
}

interface RowsProps {
  readonly rows: readonly TreeRow[];
  readonly plan: Plan;
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

export function TreeView({ plan }: { readonly plan: Plan }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(
    () => treeRows(plan.tree, plan),
    [plan.tree, plan.filter, plan.named, plan.isOpen, plan.branch, plan.paged, plan.found],
  );
  const height = useRowHeight();
  const { from, to } = useVisible(scroller, rows.length, height);
  useEffect(() => plan.show(rows.slice(from, to).map(({ node }) => node)), [plan.show, rows, from, to]);
  const at = useCursor(rows, scroller, height);
  useNodeKeys(rows[at]?.node.id ?? null);
  if (rows.length === 0) return isEmpty(plan.filter) ? <NoPlan /> : <Empty>Nothing matches the filter.</Empty>;
  return (
    <div className="tree" ref={scroller}>
      <div
        role="treegrid"
        aria-label="The plan"
        aria-rowcount={rows.length + 1}
        aria-multiselectable="true"
        tabIndex={0}
        aria-activedescendant={rows[at] ? `row-${rows[at].node.id}` : undefined}
      >
        <div role="row" className="thead" aria-rowindex={1}>
          <span role="columnheader">Node</span>
          <span role="columnheader">Why it stands there</span>
          <span role="columnheader">Progress</span>
        </div>
        <Rows rows={rows} plan={plan} at={at} from={from} to={to} height={height} />
      </div>
      {plan.moreFound > 0 && (
        <p className="hint">{`${Number.isFinite(plan.moreFound) ? plan.moreFound.toLocaleString("en") : "Many"} more fit. Say more in the filter to see them.`}</p>
      )}
    </div>
  );
}
