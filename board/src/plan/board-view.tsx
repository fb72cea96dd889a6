// The plan as a board: columns by status, lanes by feature. Status is derived, so no card can be dragged into one: a drop offers the
// verbs that lead there.

import "../styles/kanban.css";
import { type DragEvent, useState } from "react";
import { useSignal } from "../api/signal.js";
import type { AttemptRow, StatusTree } from "../api/types.js";
import { go, usePlace } from "../frame/route.js";
import { Bar, useNow } from "../parts/bits.js";
import { Plain } from "../parts/plain.js";
import { Line, Sign } from "../parts/sign.js";
import { Empty } from "../parts/states.js";
import { useMayAct } from "../parts/step-button.js";
import { upperFirst } from "../parts/words.js";
import { COLUMNS, type Column, columnOf } from "./columns.js";
import { DropOffer } from "./drop-offer.js";
import { useListKeys } from "./list-keys.js";
import { setOpen } from "./open-branches.js";
import { reasonWords } from "./reason-words.js";
import { runningWords, useRunning } from "./running.js";
import { selection, toggleSelected } from "./selection.js";
import { type PlanLane, useLanes } from "./use-lanes.js";
import type { Plan } from "./use-plan.js";

interface CardProps {
  readonly task: StatusTree;
  readonly asks: boolean;
  readonly current: boolean;
  readonly attempt: AttemptRow | undefined;
  /** Dragging starts; undefined where nothing may change. */
  readonly drag: ((task: StatusTree | null) => void) | undefined;
}

function Card({ task, asks, current, attempt, drag }: CardProps) {
  const { item } = usePlace();
  const picked = useSignal(selection).has(task.id);
  const now = useNow();
  const { short, asks: isForYou } = reasonWords(task);
  const words = attempt ? runningWords(attempt, now) : short;
  return (
    <button
      type="button"
      id={`task-${task.id}`}
      className={`kcard ${task.status}${current ? " current" : ""}${picked ? " picked" : ""}`}
      aria-current={item === task.id ? "true" : undefined}
      draggable={drag !== undefined}
      onDragStart={(event) => {
        event.dataTransfer.setData("text/plain", task.id);
        drag?.(task);
      }}
      onDragEnd={() => drag?.(null)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey) toggleSelected(task.id);
        else go({ item: task.id, tab: "overview" });
      }}
    >
      <span className="kcard-id">
        <Sign name={asks && task.status !== "rejected" ? "ask" : task.status} size={12} />
        <span className="id">{task.id}</span>
        {task.kind !== "work" && task.kind !== null && <span className="tag">{task.kind}</span>}
      </span>
      <Plain text={task.title} />
      {words !== "" && <small className={isForYou ? "ask" : ""}>{words}</small>}
    </button>
  );
}

interface Dropping {
  readonly drag: CardProps["drag"];
  readonly over: (column: Column) => ((event: DragEvent) => void) | undefined;
  readonly drop: (column: Column) => (event: DragEvent) => void;
  /** The column under the card, of the lanes. */
  readonly target: string | null;
}

interface LaneProps {
  readonly lane: PlanLane;
  readonly plan: Plan;
  readonly open: boolean;
  readonly current: string | null;
  readonly running: ReturnType<typeof useRunning>;
  readonly dropping: Dropping;
}

function Lane({ lane: { feature, tasks }, plan, open, current, running, dropping }: LaneProps) {
  return (
    <section className="klane" aria-label={feature.title}>
      <button type="button" className="klane-head" aria-expanded={open} onClick={() => setOpen(feature.id, !open)}>
        <Line name={open ? "down" : "right"} size={12} />
        <span className="id">{feature.id}</span>
        <b>
          <Plain text={feature.title} />
        </b>
        <Bar done={feature.progress?.finished ?? 0} of={feature.progress?.total ?? 0} />
        {!open && <span className="hint">{reasonWords(feature).short}</span>}
      </button>
      {open && (
        <div className="kcols">
          {COLUMNS.map((column) => (
            <div
              key={column.name}
              className={`kcol${dropping.target === column.name ? " target" : ""}`}
              onDragOver={dropping.over(column)}
              onDrop={dropping.drop(column)}
            >
              {tasks
                .filter(({ status }) => column.statuses.includes(status))
                .map((task) => (
                  <Card
                    key={task.id}
                    task={task}
                    asks={plan.asks.has(task.id)}
                    current={task.id === current}
                    attempt={running.get(task.id)}
                    drag={dropping.drag}
                  />
                ))}
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

/** A card over another column than its own, and what a drop there offers. */
function useDropping(): { readonly dropping: Dropping; readonly offer: Offer | null; readonly close: () => void } {
  const mayAct = useMayAct();
  const [dragged, setDragged] = useState<StatusTree | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const [offer, setOffer] = useState<Offer | null>(null);
  const drag = (task: StatusTree | null): void => {
    setDragged(task);
    setTarget(null);
    if (task) setOffer(null);
  };
  const isOther = (column: Column): boolean => dragged !== null && columnOf(dragged.status) !== column;
  return {
    offer,
    close: () => setOffer(null),
    dropping: {
      drag: mayAct ? drag : undefined,
      target,
      over: (column) =>
        isOther(column)
          ? (event) => {
              event.preventDefault();
              setTarget(column.name);
            }
          : undefined,
      drop: (column) => (event) => {
        event.preventDefault();
        drag(null);
        setOffer(dragged && { task: dragged, column });
      },
    },
  };
}

interface Offer {
  readonly task: StatusTree;
  readonly column: Column;
}

export default function BoardView({ plan }: { readonly plan: Plan }) {
  const lanes = useLanes(plan);
  const running = useRunning();
  const { dropping, offer, close } = useDropping();
  const open = lanes.filter(({ feature }) => plan.isOpen(feature));
  const order = open.flatMap(({ tasks }) =>
    COLUMNS.flatMap(({ statuses }) => tasks.filter(({ status }) => statuses.includes(status)).map(({ id }) => id)),
  );
  const current = useListKeys(order);
  if (lanes.length === 0) return <Empty>Nothing matches the filter.</Empty>;
  const count = (column: Column): number =>
    plan.counts?.[column.name] ??
    lanes.reduce((sum, { tasks }) => sum + tasks.filter(({ status }) => column.statuses.includes(status)).length, 0);
  return (
    <div className="kanban" tabIndex={0} role="region" aria-label="The plan by status">
      <div className="kcols khead">
        {COLUMNS.map((column) => (
          <div key={column.name} className="kcol">
            <Sign name={column.sign} size={12} /> {upperFirst(column.name)}{" "}
            <span className="count">{count(column)}</span>
          </div>
        ))}
      </div>
      {lanes.map((lane) => (
        <Lane
          key={lane.feature.id}
          lane={lane}
          plan={plan}
          open={open.includes(lane)}
          current={current}
          running={running}
          dropping={dropping}
        />
      ))}
      {offer && <DropOffer task={offer.task} column={offer.column} close={close} />}
    </div>
  );
}
