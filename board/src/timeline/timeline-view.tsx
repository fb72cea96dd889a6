// The plan over time: working time is solid, waiting is hatched, and waiting for you is amber.

import "../styles/timeline.css";
import { useMemo } from "react";
import { useRead } from "../api/reads.js";
import type { AttemptRow, StatusTree } from "../api/types.js";
import { go, usePlace } from "../frame/route.js";
import { featuresOf } from "../now/features.js";
import { useNow } from "../parts/bits.js";
import { Plain } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { when } from "../parts/words.js";
import { matches } from "../plan/filter.js";
import type { Plan } from "../plan/use-plan.js";
import { barsOf, rangeOf } from "./bars.js";

const tasksIn = (node: StatusTree): StatusTree[] =>
  node.tier === "task" ? [node] : node.children.flatMap((child) => tasksIn(child));

function Row({
  task,
  attempts,
  from,
  to,
  asks,
}: {
  readonly task: StatusTree;
  readonly attempts: readonly AttemptRow[];
  readonly from: number;
  readonly to: number;
  readonly asks: boolean;
}) {
  const { item } = usePlace();
  const isOver = task.status === "done" || task.status === "waived" || task.status === "dropped";
  const at = (time: number): number => (100 * (time - from)) / Math.max(1, to - from);
  return (
    <button
      type="button"
      className="trow"
      aria-current={item === task.id ? "true" : undefined}
      onClick={() => go({ item: task.id, tab: "overview" })}
    >
      <span className="tname">
        <Sign name={asks ? "ask" : task.status} size={12} />
        <span className="id">{task.id}</span>
        <span className="title">
          <Plain text={task.title} />
        </span>
      </span>
      <span className="tbars">
        {barsOf(attempts, isOver, asks, to).map(({ kind, begin, end, words }) => (
          <i
            key={`${kind} ${begin}`}
            className={kind}
            title={words}
            style={{ left: `${at(begin)}%`, width: `${Math.max(0.3, at(end) - at(begin))}%` }}
          />
        ))}
      </span>
    </button>
  );
}

export default function TimelineView({ plan }: { readonly plan: Plan }) {
  const read = useRead("attempt.list", { all: true });
  const now = useNow();
  const lanes = useMemo(
    () =>
      featuresOf(plan.tree)
        .map((feature) => {
          const branch = plan.branch(feature.id);
          const whole = branch && feature.children.length === 0 ? { ...feature, children: branch } : feature;
          return {
            feature,
            tasks: tasksIn(whole).filter((task) => matches(task, [feature.id], plan.filter, plan.named)),
          };
        })
        .filter(({ tasks }) => tasks.length > 0),
    [plan.tree, plan.filter, plan.named, plan.branch],
  );
  return (
    <Shown read={read}>
      {(attempts) => {
        const range = rangeOf(attempts, now);
        if (lanes.length === 0) return <Empty>Nothing matches the filter.</Empty>;
        return (
          <div className="timeline" tabIndex={0} role="region" aria-label="The plan over time">
            <p className="thead-line">
              <span>{when(range.from, now)}</span>
              <span className="legend-line">
                <i className="work" /> working <i className="wait" /> waiting <i className="ask" /> waiting for you
              </span>
              <span>now</span>
            </p>
            {lanes.map(({ feature, tasks }) => (
              <section key={feature.id} aria-label={feature.title}>
                <h2>
                  <span className="id">{feature.id}</span> <Plain text={feature.title} />
                </h2>
                {tasks.map((task) => (
                  <Row
                    key={task.id}
                    task={task}
                    attempts={attempts.filter((attempt) => attempt.task === task.id)}
                    from={range.from}
                    to={range.to}
                    asks={plan.asks.has(task.id)}
                  />
                ))}
              </section>
            ))}
          </div>
        );
      }}
    </Shown>
  );
}
