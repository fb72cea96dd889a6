// Plan: what is there, in what order, and why it stands there. Four layouts of the same nodes, with one filter and one selection.

import { Suspense, useRef, useState } from "react";
import { LAYOUTS } from "../frame/address.js";
import { useKeys } from "../frame/keys.js";
import { go, linkTo, usePlace } from "../frame/route.js";
import { useWidth } from "../frame/width.js";
import { LongestPathButton } from "../graph/longest-path.js";
import { NodePanel } from "../panel/node-panel.js";
import { PageHead } from "../parts/bits.js";
import { Button, Key } from "../parts/button.js";
import { later } from "../parts/later.js";
import { Plain } from "../parts/plain.js";
import { Line } from "../parts/sign.js";
import { Loading, Shown } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { plural, upperFirst } from "../parts/words.js";
import { AddForm } from "./add-form.js";
import { SelectionBar } from "./selection-bar.js";
import { TreeView } from "./tree-view.js";
import { type Plan, usePlan } from "./use-plan.js";

const GraphView = later(() => import("../graph/graph-view.js"));
const BoardView = later(() => import("./board-view.js"));
const TimelineView = later(() => import("../timeline/timeline-view.js"));

/** Below this the tree stands in for the other layouts. */
const PHONE = 640;

function Layouts() {
  const { layout } = usePlace();
  return (
    <div className="seg" role="tablist" aria-label="Layout">
      {LAYOUTS.map((each) => (
        <a key={each} role="tab" aria-selected={each === layout} {...linkTo({ layout: each })}>
          {upperFirst(each)}
        </a>
      ))}
    </div>
  );
}

function FilterField() {
  const { filter } = usePlace();
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus() });
  return (
    <label className="search">
      <Line name="search" size={14} />
      <input
        ref={field}
        value={filter}
        placeholder="Filter by text, status:, in:, file:"
        aria-label="Filter the plan"
        onChange={({ target }) => go({ filter: target.value }, { replace: true })}
        onKeyDown={(event) => {
          if (event.key === "Escape" || event.key === "Enter") event.currentTarget.blur();
        }}
      />
      {filter === "" ? (
        <Key>/</Key>
      ) : (
        <button type="button" className="icon" aria-label="Clear the filter" onClick={() => go({ filter: "" })}>
          <Line name="close" size={12} />
        </button>
      )}
    </label>
  );
}

function LayoutBody({ plan }: { readonly plan: Plan }) {
  const { layout } = usePlace();
  const width = useWidth();
  if (layout === "tree") return <TreeView plan={plan} />;
  if (width < PHONE) {
    return (
      <div className="narrow">
        <p className="hint">Best on a wider screen. Here is the tree.</p>
        <TreeView plan={plan} />
      </div>
    );
  }
  return (
    <Suspense fallback={<Loading />}>
      {layout === "graph" && <GraphView plan={plan} />}
      {layout === "board" && <BoardView plan={plan} />}
      {layout === "timeline" && <TimelineView plan={plan} />}
    </Suspense>
  );
}

function usePlanKeys(add: (() => void) | undefined, hasPanel: boolean, full: boolean): void {
  useKeys({
    "g t": () => go({ layout: "tree" }),
    "g b": () => go({ layout: "board" }),
    "g g": () => go({ layout: "graph" }),
    "g l": () => go({ layout: "timeline" }),
    ...(add && { c: add }),
    ...(hasPanel && { Escape: () => go(full ? { full: false } : { item: null }) }),
  });
}

export function PlanView() {
  const { item, full, layout } = usePlace();
  const plan = usePlan();
  const mayAct = useMayAct();
  const isPhone = useWidth() < PHONE;
  const [adding, setAdding] = useState(false);
  const mission = plan.tree.find(({ tier }) => tier === "mission");
  const progress = plan.read.data?.progress;
  const add = mayAct ? () => setAdding(true) : undefined;
  usePlanKeys(add, item !== null, full);
  return (
    <>
      <PageHead
        title="Plan"
        tools={
          <>
            <Layouts />
            <FilterField />
            {layout === "graph" && !isPhone && <LongestPathButton />}
            {add && (
              <Button k="c" onClick={add}>
                Add
              </Button>
            )}
          </>
        }
      >
        {mission && <Plain text={mission.title} />}
        {progress && <span>{`${progress.finished} of ${plural(progress.total, "task")} done`}</span>}
      </PageHead>
      {adding && <AddForm parent={item} close={() => setAdding(false)} />}
      <div className="split">
        <Shown read={plan.read} rows={12}>
          {() => <LayoutBody plan={plan} />}
        </Shown>
        {item !== null && <NodePanel key={item} id={item} plan={plan} />}
        <SelectionBar plan={plan} />
      </div>
    </>
  );
}
