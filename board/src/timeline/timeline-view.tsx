// The plan over time: working time is solid, waiting is hatched, waiting for you is amber, and the forecast stands right of now.

import "../styles/timeline.css";
import { type CSSProperties, useMemo } from "react";
import { useRead } from "../api/reads.js";
import { useSignal } from "../api/signal.js";
import type { Output, StatusTree } from "../api/types.js";
import { go, usePlace } from "../frame/route.js";
import { useNow } from "../parts/bits.js";
import { Plain } from "../parts/plain.js";
import { Line, Sign } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { hours, when } from "../parts/words.js";
import { useListKeys } from "../plan/list-keys.js";
import { setOpen } from "../plan/open-branches.js";
import { reasonWords } from "../plan/reason-words.js";
import { selection } from "../plan/selection.js";
import { type PlanLane, useLanes } from "../plan/use-lanes.js";
import type { Plan } from "../plan/use-plan.js";
import { barsOf, firstMoment, type TimelineRow } from "./bars.js";
import { type TimeScale, ticksOf, timeScale } from "./scale.js";

type Forecast = Output<"forecast">;
type FeatureForecast = Forecast["features"][number];

const HOUR = 3_600_000;

/** In percent of the width: a bar that is shorter says its reason only when asked. */
const ROOM_FOR_WORDS = 30;

function Row({ task, row, scale, asks, current, picked }: RowProps) {
  const { item } = usePlace();
  const { short, asks: isForYou } = reasonWords(task);
  const standing = { words: short, asks: isForYou || asks };
  const bars = row ? barsOf(row, scale.now, standing) : [];
  return (
    <button
      type="button"
      id={`task-${task.id}`}
      className={`trow${current ? " current" : ""}${picked ? " picked" : ""}`}
      aria-current={item === task.id ? "true" : undefined}
      onClick={() => go({ item: task.id, tab: "overview" })}
    >
      <span className="tname">
        <Sign name={task.status} size={12} />
        <span className="id">{task.id}</span>
        <span className="title">
          <Plain text={task.title} />
        </span>
      </span>
      <span className="tbars">
        {bars.map(({ kind, begin, end, words }) => (
          <i
            key={`${kind} ${begin} ${end}`}
            className={kind}
            role="img"
            aria-label={words}
            title={words}
            style={{ left: `${scale.at(begin)}%`, width: `${Math.max(0.3, scale.at(end) - scale.at(begin))}%` }}
          >
            {kind !== "work" && end === scale.now && scale.at(end) - scale.at(begin) > ROOM_FOR_WORDS && (
              <em aria-hidden="true">{words}</em>
            )}
          </i>
        ))}
      </span>
    </button>
  );
}

interface RowProps {
  readonly task: StatusTree;
  readonly row: TimelineRow | undefined;
  readonly scale: TimeScale;
  readonly asks: boolean;
  readonly current: boolean;
  readonly picked: boolean;
}

/** From now to the moment by which the feature is done with a chance of 50 %, and of 80 %. */
function Ahead({ forecast, scale }: { readonly forecast: FeatureForecast | undefined; readonly scale: TimeScale }) {
  const { likelyHours, safeHours } = forecast ?? { likelyHours: null, safeHours: null };
  if (likelyHours === null || safeHours === null || safeHours === 0) return <span className="tbars" />;
  const end = (of: number): number => scale.at(scale.now + of * HOUR);
  const begin = scale.at(scale.now);
  const words = `Done in ${hours(likelyHours)} with a chance of 50 %, in ${hours(safeHours)} with 80 %, if nothing waits for you`;
  return (
    <span className="tbars" role="img" aria-label={words} title={words}>
      <i className="ahead safe" style={{ left: `${begin}%`, width: `${Math.max(0.3, end(safeHours) - begin)}%` }} />
      <i className="ahead likely" style={{ left: `${begin}%`, width: `${Math.max(0.3, end(likelyHours) - begin)}%` }} />
    </span>
  );
}

function LaneHead({ lane, open, forecast, scale }: LaneHeadProps) {
  const { feature } = lane;
  return (
    <button type="button" className="trow thead-row" aria-expanded={open} onClick={() => setOpen(feature.id, !open)}>
      <span className="tname">
        <Line name={open ? "down" : "right"} size={12} />
        <span className="id">{feature.id}</span>
        <b className="title">
          <Plain text={feature.title} />
        </b>
      </span>
      <Ahead forecast={forecast} scale={scale} />
    </button>
  );
}

interface LaneHeadProps {
  readonly lane: PlanLane;
  readonly open: boolean;
  readonly forecast: FeatureForecast | undefined;
  readonly scale: TimeScale;
}

/** In percent of the width. */
const ROOM_FOR_NOW = 8;

function Axis({ scale, forecast }: { readonly scale: TimeScale; readonly forecast: Forecast | undefined }) {
  const hasForecast = scale.to > scale.now;
  const short = forecast && forecast.samples < forecast.fewestSamples;
  return (
    <div className="taxis">
      <p className="legend-line">
        <span>
          <i className="work" /> working
        </span>
        <span>
          <i className="wait" /> waiting
        </span>
        <span>
          <i className="ask" /> waiting for you
        </span>
        {hasForecast && (
          <span>
            <i className="ahead likely" /> done by then, 50 % and <i className="ahead safe" /> 80 %
          </span>
        )}
        {short && (
          <span className="hint">
            No forecast: {forecast.samples} of {forecast.fewestSamples} finished tasks are measured.
          </span>
        )}
      </p>
      <p className="tticks">
        {ticksOf(scale)
          .filter((tick) => scale.at(scale.now) - scale.at(tick) > ROOM_FOR_NOW)
          .map((tick) => (
            <span key={tick} style={{ left: `${scale.at(tick)}%` }}>
              {when(tick, scale.now)}
            </span>
          ))}
        <b style={{ left: `${scale.at(scale.now)}%` }}>now</b>
        {hasForecast && <span className="end">{`+${hours((scale.to - scale.now) / HOUR)}`}</span>}
      </p>
    </div>
  );
}

function Chart({ plan, rows }: { readonly plan: Plan; readonly rows: Output<"timeline"> }) {
  const forecast = useRead("forecast", {}).data;
  const now = useNow();
  const picked = useSignal(selection);
  const lanes = useLanes(plan);
  const byId = useMemo(() => new Map(rows.rows.map((row) => [row.id, row])), [rows]);
  const scale = useMemo(() => {
    const ahead = Math.max(0, ...(forecast?.features ?? []).map(({ safeHours }) => safeHours ?? 0));
    return timeScale(firstMoment(rows.rows, now), now, ahead * HOUR);
  }, [rows, now, forecast]);
  const open = lanes.filter(({ feature }) => plan.isOpen(feature));
  const current = useListKeys(open.flatMap(({ tasks }) => tasks.map(({ id }) => id)));
  if (lanes.length === 0) return <Empty>Nothing matches the filter.</Empty>;
  return (
    <div className="timeline" tabIndex={0} role="region" aria-label="The plan over time">
      <Axis scale={scale} forecast={forecast} />
      {lanes.map((lane) => (
        <section key={lane.feature.id} aria-label={lane.feature.title}>
          <LaneHead
            lane={lane}
            open={open.includes(lane)}
            forecast={forecast?.features.find(({ id }) => id === lane.feature.id)}
            scale={scale}
          />
          {open.includes(lane) &&
            lane.tasks.map((task) => (
              <Row
                key={task.id}
                task={task}
                row={byId.get(task.id)}
                scale={scale}
                asks={plan.asks.has(task.id)}
                current={task.id === current}
                picked={picked.has(task.id)}
              />
            ))}
        </section>
      ))}
      <i className="tnow" style={{ "--now": scale.at(scale.now) / 100 } as CSSProperties} />
      {rows.more > 0 && <p className="hint">{rows.more} more tasks have no bars here. Filter, or open one feature.</p>}
    </div>
  );
}

export default function TimelineView({ plan }: { readonly plan: Plan }) {
  const [within] = plan.filter.within;
  const read = useRead("timeline", within === undefined ? {} : { reference: within });
  return <Shown read={read}>{(rows) => <Chart plan={plan} rows={rows} />}</Shown>;
}
