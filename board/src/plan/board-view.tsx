// The plan as a board: columns by status, lanes by feature. Status is derived, so no card can be dragged into one.

import "../styles/kanban.css";
import { useMemo } from "react";
import type { StatusTree } from "../api/types.js";
import { go, usePlace } from "../frame/route.js";
import { featuresOf } from "../now/features.js";
import { Bar } from "../parts/bits.js";
import { Plain } from "../parts/prose.js";
import { Line, Sign, type SignName } from "../parts/sign.js";
import { Empty } from "../parts/states.js";
import { upperFirst } from "../parts/words.js";
import { matches } from "./filter.js";
import { type Plan, setOpen } from "./use-plan.js";

const COLUMNS: readonly {
  readonly name: string;
  readonly sign: SignName;
  readonly statuses: readonly StatusTree["status"][];
}[] = [
  { name: "planned", sign: "planned", statuses: ["planned"] },
  { name: "blocked", sign: "blocked", statuses: ["blocked", "frozen"] },
  { name: "ready", sign: "ready", statuses: ["ready"] },
  { name: "in progress", sign: "in_progress", statuses: ["in_progress"] },
  { name: "rejected", sign: "rejected", statuses: ["rejected"] },
  { name: "done", sign: "done", statuses: ["done", "waived"] },
];

const tasksIn = (node: StatusTree): StatusTree[] =>
  node.tier === "task" ? [node] : node.children.flatMap((child) => tasksIn(child));

function Card({
  task,
  asks,
  selected,
}: {
  readonly task: StatusTree;
  readonly asks: boolean;
  readonly selected: boolean;
}) {
  return (
    <button
      type="button"
      className={`kcard ${task.status}`}
      aria-current={selected ? "true" : undefined}
      onClick={() => go({ item: task.id, tab: "overview" })}
    >
      <span className="kcard-id">
        <Sign name={asks ? "ask" : task.status} size={12} />
        <span className="id">{task.id}</span>
        {task.kind !== "work" && task.kind !== null && <span className="tag">{task.kind}</span>}
      </span>
      <Plain text={task.title} />
    </button>
  );
}

function Lane({
  feature,
  tasks,
  plan,
  open,
}: {
  readonly feature: StatusTree;
  readonly tasks: readonly StatusTree[];
  readonly plan: Plan;
  readonly open: boolean;
}) {
  const { item } = usePlace();
  return (
    <section className="klane" aria-label={feature.title}>
      <button type="button" className="klane-head" aria-expanded={open} onClick={() => setOpen(feature.id, !open)}>
        <Line name={open ? "down" : "right"} size={12} />
        <span className="id">{feature.id}</span>
        <b>
          <Plain text={feature.title} />
        </b>
        <Bar done={feature.progress?.finished ?? 0} of={feature.progress?.total ?? 0} />
      </button>
      {open && (
        <div className="kcols">
          {COLUMNS.map(({ name, statuses }) => (
            <div key={name} className="kcol">
              {tasks
                .filter(({ status }) => statuses.includes(status))
                .map((task) => (
                  <Card key={task.id} task={task} asks={plan.asks.has(task.id)} selected={task.id === item} />
                ))}
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

export default function BoardView({ plan }: { readonly plan: Plan }) {
  const lanes = useMemo(
    () =>
      featuresOf(plan.tree)
        .map((feature) => {
          const branch = plan.branch(feature.id);
          const whole = branch && feature.children.length === 0 ? { ...feature, children: branch } : feature;
          const tasks = tasksIn(whole).filter((task) => matches(task, [feature.id], plan.filter, plan.named));
          return { feature, tasks };
        })
        .filter(({ tasks, feature }) => tasks.length > 0 || (feature.progress?.total ?? 0) > 0),
    [plan.tree, plan.filter, plan.named, plan.branch],
  );
  if (lanes.length === 0) return <Empty>Nothing matches the filter.</Empty>;
  return (
    <div className="kanban" tabIndex={0} role="region" aria-label="The plan by status">
      <div className="kcols khead">
        {COLUMNS.map(({ name, sign, statuses }) => (
          <div key={name} className="kcol">
            <Sign name={sign} size={12} /> {upperFirst(name)}{" "}
            <span className="count">
              {lanes.reduce(
                (sum, { tasks }) => sum + tasks.filter(({ status }) => statuses.includes(status)).length,
                0,
              )}
            </span>
          </div>
        ))}
      </div>
      {lanes.map(({ feature, tasks }) => (
        <Lane key={feature.id} feature={feature} tasks={tasks} plan={plan} open={plan.isOpen(feature)} />
      ))}
    </div>
  );
}
