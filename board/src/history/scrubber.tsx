// The scrubber: operations over time, stacked by who made them, with marks. Moving its head shows that moment.

import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from "react";
import type { LogRow } from "../api/types.js";
import { go } from "../frame/route.js";
import { Sign, type SignName } from "../parts/sign.js";
import { clock, date } from "../parts/words.js";
import { type Mark, markOf, type Slot, slotsOf, WHO, type Who } from "./fold.js";

const SLOTS = 96;
const HEIGHT = 60;
const MARKS: Readonly<Record<Mark, SignName>> = { approve: "ready", question: "ask", land: "done" };
const LEGEND: Readonly<Record<Who, string>> = { human: "people", agent: "agents", daemon: "daemon" };
const MOST_MARKS = 40;

function Bars({ slots }: { readonly slots: readonly Slot[] }) {
  const most = Math.max(1, ...slots.map(({ counts }) => counts.human + counts.agent + counts.daemon));
  return (
    <svg viewBox={`0 0 ${SLOTS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {slots.map(({ counts }, index) => {
        let top = HEIGHT;
        return [...WHO].reverse().map((who) => {
          const height = (counts[who] / most) * (HEIGHT - 4);
          top -= height;
          return height === 0 ? null : (
            <rect key={`${index} ${who}`} className={who} x={index + 0.08} width={0.84} y={top} height={height} />
          );
        });
      })}
    </svg>
  );
}

function placeOf(row: LogRow, slots: readonly Slot[]): number {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last) return 0;
  return (100 * (Date.parse(row.at) - first.from)) / Math.max(1, last.to - first.from);
}

export function Scrubber({ rows, selected }: { readonly rows: readonly LogRow[]; readonly selected: number | null }) {
  const track = useRef<HTMLDivElement>(null);
  const slots = useMemo(() => slotsOf(rows, SLOTS), [rows]);
  const newest = rows[0];
  const at = rows.find(({ op }) => op === selected) ?? newest;
  if (!at || !newest) return null;
  const choose = (op: number): void => go({ item: String(op), at: op === newest.op ? null : op }, { replace: true });
  const drag = (event: PointerEvent): void => {
    if (event.buttons !== 1 || !track.current) return;
    const { left, width } = track.current.getBoundingClientRect();
    const slot = slots[Math.max(0, Math.min(SLOTS - 1, Math.floor(((event.clientX - left) / width) * SLOTS)))];
    if (slot) choose(slot.op);
  };
  const index = rows.indexOf(at);
  const keys = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: 1, ArrowRight: -1, PageDown: 20, PageUp: -20 }[event.key];
    const next = by === undefined ? undefined : rows[Math.max(0, Math.min(rows.length - 1, index + by))];
    if (!next) return;
    event.preventDefault();
    choose(next.op);
  };
  const time = Date.parse(at.at);
  const words = `${date(time)}, ${clock(time)}`;
  const marks = rows.filter((row) => markOf(row) !== null).slice(0, MOST_MARKS);
  const left = placeOf(at, slots);
  return (
    <div className="scrubber">
      <p className="who" aria-hidden="true">
        {WHO.map((who) => (
          <span key={who}>
            <i className={who} />
            {LEGEND[who]}
          </span>
        ))}
      </p>
      <div className="track" ref={track} onPointerDown={drag} onPointerMove={drag}>
        <Bars slots={slots} />
        {marks.map((row) => (
          <span key={row.op} className="mark" style={{ left: `${placeOf(row, slots)}%` }} title={row.sentence}>
            <Sign name={MARKS[markOf(row) ?? "approve"]} size={12} />
          </span>
        ))}
        <div
          className="head"
          role="slider"
          tabIndex={0}
          aria-label="Moment"
          aria-valuemin={rows.at(-1)?.op ?? 1}
          aria-valuemax={newest.op}
          aria-valuenow={at.op}
          aria-valuetext={`Operation ${at.op}, ${words}`}
          style={{ left: `${left}%` }}
          onKeyDown={keys}
        >
          <b className={left > 92 ? "to-left" : left < 8 ? "to-right" : ""}>{words}</b>
        </div>
      </div>
    </div>
  );
}
