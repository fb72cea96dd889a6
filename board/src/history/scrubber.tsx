// The scrubber: operations over time, stacked by who made them, with marks. Moving its head shows that moment.

import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from "react";
import { useRead } from "../api/reads.js";
import type { LogRow } from "../api/types.js";
import { go } from "../frame/route.js";
import { Sign, type SignName } from "../parts/sign.js";
import { clock, date } from "../parts/words.js";
import { type Mark, markOf, type Slot, slotsOf, slotsOfDensity, WHO, type Who } from "./fold.js";

const SLOTS = 96;
const HEIGHT = 60;
const MARKS: Readonly<Record<Mark, SignName>> = { approve: "ready", question: "ask", land: "done" };
const LEGEND: Readonly<Record<Who, string>> = { human: "people", agent: "agents", daemon: "daemon" };
const MOST_MARKS = 40;
const MARKED_VERBS: Readonly<Record<string, Mark>> = { approve: "approve", answer: "question", land: "land" };
const DAY_MINUTES = 1_440;

function Bars({ slots }: { readonly slots: readonly Slot[] }) {
  const most = Math.max(1, ...slots.map(({ counts }) => counts.human + counts.agent + counts.daemon));
  return (
    <svg viewBox={`0 0 ${slots.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
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

interface Marked {
  readonly op: number;
  readonly at: number;
  readonly mark: Mark;
  readonly words: string;
}

interface Span {
  readonly slots: readonly Slot[];
  readonly marks: readonly Marked[];
}

const spanOfRows = (rows: readonly LogRow[]): Span => ({
  slots: slotsOf(rows, SLOTS),
  marks: rows.flatMap((row) => {
    const mark = markOf(row);
    return mark === null ? [] : [{ op: row.op, at: Date.parse(row.at), mark, words: row.sentence }];
  }),
});

/** The whole log: by its rows where all of them are here, else by what the server counted. */
function useSpan(rows: readonly LogRow[], isWhole: boolean): Span {
  const days = useRead("density", isWhole ? null : { slotMinutes: DAY_MINUTES }, { now: true }).data?.slots;
  const [first, last] = [days?.[0]?.from, days?.at(-1)?.from];
  const spanDays = first && last ? (Date.parse(last) - Date.parse(first)) / (DAY_MINUTES * 60_000) + 1 : 0;
  const slotMinutes = Math.ceil((spanDays * DAY_MINUTES) / SLOTS);
  const counted = useRead("density", spanDays > 0 ? { slotMinutes } : null, { now: true }).data;
  return useMemo(() => {
    if (isWhole || !counted) return spanOfRows(rows);
    const marks = counted.marks.flatMap(({ op, at, verb }) => {
      const mark = MARKED_VERBS[verb];
      return mark === undefined ? [] : [{ op, at: Date.parse(at), mark, words: `Operation ${op}: ${verb}` }];
    });
    return { slots: slotsOfDensity(counted), marks: marks.toSorted((a, b) => b.op - a.op) };
  }, [rows, isWhole, counted]);
}

/** When it happened: exactly for what is listed, by its slot for what came before. */
function timeOf(op: number, rows: readonly LogRow[], slots: readonly Slot[]): number {
  const row = rows.find((each) => each.op === op);
  return row ? Date.parse(row.at) : (slots.find((slot) => slot.op >= op)?.from ?? 0);
}

function percentOf(at: number, slots: readonly Slot[]): number {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last) return 0;
  return Math.max(0, Math.min(100, (100 * (at - first.from)) / Math.max(1, last.to - first.from)));
}

const BY_KEY: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageDown: -20, PageUp: 20 };

export function Scrubber({ rows, isWhole, selected }: ScrubberProps) {
  const track = useRef<HTMLDivElement>(null);
  const { slots, marks } = useSpan(rows, isWhole);
  const newest = rows[0];
  if (!newest) return null;
  const op = selected ?? newest.op;
  const choose = (to: number): void => go({ item: String(to), at: to === newest.op ? null : to }, { replace: true });
  const drag = (event: PointerEvent): void => {
    if (event.buttons !== 1 || !track.current) return;
    const { left, width } = track.current.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * slots.length);
    const slot = slots[Math.max(0, Math.min(slots.length - 1, index))];
    if (slot) choose(slot.op);
  };
  const keys = (event: KeyboardEvent): void => {
    const by = BY_KEY[event.key];
    if (by === undefined) return;
    event.preventDefault();
    choose(Math.max(1, Math.min(newest.op, op + by)));
  };
  const time = timeOf(op, rows, slots);
  const words = `${date(time)}, ${clock(time)}`;
  const left = percentOf(time, slots);
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
        {marks.slice(0, MOST_MARKS).map((each) => (
          <span key={each.op} className="mark" style={{ left: `${percentOf(each.at, slots)}%` }} title={each.words}>
            <Sign name={MARKS[each.mark]} size={12} />
          </span>
        ))}
        <div
          className="head"
          role="slider"
          tabIndex={0}
          aria-label="Moment"
          aria-valuemin={1}
          aria-valuemax={newest.op}
          aria-valuenow={op}
          aria-valuetext={`Operation ${op}, ${words}`}
          style={{ left: `${left}%` }}
          onKeyDown={keys}
        >
          <b className={left > 92 ? "to-left" : left < 8 ? "to-right" : ""}>{words}</b>
        </div>
      </div>
    </div>
  );
}

interface ScrubberProps {
  /** The latest operations, newest first. */
  readonly rows: readonly LogRow[];
  /** Whether these are all operations of the log. */
  readonly isWhole: boolean;
  readonly selected: number | null;
}
