// History: what happened, and can I take it back?

import "../styles/history.css";
import { useMemo, useRef, useState } from "react";
import { useRead } from "../api/reads.js";
import type { LogRow } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { go, usePlace } from "../frame/route.js";
import { PageHead, useToday } from "../parts/bits.js";
import { Key } from "../parts/button.js";
import { Prose } from "../parts/prose.js";
import { Line } from "../parts/sign.js";
import { Empty, Shown } from "../parts/states.js";
import { clock, date, dayHeading, dayOf, exact, plural, withoutActor } from "../parts/words.js";
import { foldLines, type HistoryLine, markOf, whoOf } from "./fold.js";
import { OperationPanel } from "./operation-panel.js";
import { Scrubber } from "./scrubber.js";

const LIMIT = 2_000;
const SHOWN = 400;
const FILTERS = ["all", "people", "agents"] as const;
type By = (typeof FILTERS)[number];

const isBy = (by: By, actor: string): boolean =>
  by === "all" || (by === "people" ? whoOf(actor) === "human" : whoOf(actor) !== "human");

function OperationLine({
  line,
  current,
  later,
  takenBy,
}: {
  readonly line: HistoryLine;
  readonly current: boolean;
  readonly later: boolean;
  /** The operation that took it back. */
  readonly takenBy: number | undefined;
}) {
  const { row, rows, said } = line;
  const at = Date.parse(row.at);
  const mark = rows.map(markOf).find((each) => each !== null);
  return (
    <li className={`op${later ? " later" : ""}`} aria-current={current ? "true" : undefined} data-op={row.op}>
      <button type="button" className="op-line" onClick={() => go({ item: String(row.op) })}>
        <span className="num">{row.op.toLocaleString("en")}</span>
        <time className="num" dateTime={row.at} title={exact(at)}>
          {clock(at)}
        </time>
        <span className={`actor ${whoOf(row.actor)}`}>{row.actor}</span>
        <span className="name">
          <span className={row.undone ? "text undone" : "text"} title={said.sentence}>
            {mark && <i className={`dot ${mark}`} />}
            <Prose text={withoutActor(said)} plainIds />
          </span>
          {rows.length > 1 && <span className="tag">{plural(rows.length, "operation")}</span>}
          {row.undone && (
            <span className="tag">
              {takenBy === undefined ? "taken back" : `taken back by ${takenBy.toLocaleString("en")}`}
            </span>
          )}
        </span>
      </button>
    </li>
  );
}

function Days({
  lines,
  current,
  at,
}: {
  readonly lines: readonly HistoryLine[];
  readonly current: number | null;
  readonly at: number | null;
}) {
  const now = useToday();
  const takers = useMemo(() => takersOf(lines), [lines]);
  const days: { readonly day: string; readonly heading: string; readonly lines: HistoryLine[] }[] = [];
  for (const line of lines.slice(0, SHOWN)) {
    const time = Date.parse(line.row.at);
    const last = days.at(-1);
    if (last?.day === dayOf(time)) last.lines.push(line);
    else days.push({ day: dayOf(time), heading: dayHeading(time, now), lines: [line] });
  }
  return days.map(({ day, heading, lines: inDay }) => (
    <section key={day}>
      <h2 className="day">{heading}</h2>
      <ol>
        {inDay.map((line) => (
          <OperationLine
            key={line.row.op}
            line={line}
            current={line.rows.some(({ op }) => op === current)}
            later={at !== null && line.row.op > at}
            takenBy={takers.get(line.row.op)}
          />
        ))}
      </ol>
    </section>
  ));
}

/** Of what was taken back: the latest operation that did so. */
const takersOf = (lines: readonly HistoryLine[]): ReadonlyMap<number, number> =>
  new Map(lines.toReversed().flatMap(({ row: { op, undoes } }) => (undoes === null ? [] : [[undoes, op] as const])));

function useHistoryKeys(rows: readonly LogRow[], selected: number | null): void {
  const index = rows.findIndex(({ op }) => op === selected);
  const step = (by: number): void => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, (index < 0 ? 0 : index) + by))];
    if (next) go({ item: String(next.op) }, { replace: true });
  };
  const mark = (by: number): void => {
    for (let at = index + by; at >= 0 && at < rows.length; at += by) {
      const row = rows[at];
      if (row && markOf(row) !== null) return go({ item: String(row.op) }, { replace: true });
    }
  };
  useKeys({
    ",": () => step(1),
    ".": () => step(-1),
    j: () => step(1),
    k: () => step(-1),
    "<": () => mark(1),
    ">": () => mark(-1),
    ...(selected !== null && { o: () => go({ view: "plan", layout: "tree", item: null, at: selected }) }),
  });
}

function Tools({
  by,
  setBy,
  text,
  setText,
}: {
  readonly by: By;
  readonly setBy: (by: By) => void;
  readonly text: string;
  readonly setText: (text: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus() });
  return (
    <>
      <div className="seg" role="tablist" aria-label="Whose operations">
        {FILTERS.map((each) => (
          <button key={each} type="button" role="tab" aria-selected={by === each} onClick={() => setBy(each)}>
            {each === "all" ? "All" : each === "people" ? "People" : "Agents"}
          </button>
        ))}
      </div>
      <label className="search">
        <Line name="search" size={14} />
        <input
          ref={field}
          value={text}
          placeholder="Filter by node, actor, words"
          aria-label="Filter operations"
          onChange={({ target }) => setText(target.value)}
        />
        <Key>/</Key>
      </label>
    </>
  );
}

function HistoryBody({ rows }: { readonly rows: readonly LogRow[] }) {
  const { item, at, filter: text } = usePlace();
  const [by, setBy] = useState<By>("all");
  const setText = (filter: string): void => go({ filter }, { replace: true });
  const selected = item !== null && /^\d+$/.test(item) ? Number(item) : at;
  const shown = useMemo(() => {
    const wanted = text.toLowerCase();
    const fits = ({ sentence, actor, op }: LogRow): boolean =>
      wanted === "" || `${op} ${actor} ${sentence}`.toLowerCase().includes(wanted);
    return rows.filter((row) => isBy(by, row.actor) && fits(row));
  }, [rows, by, text]);
  const lines = useMemo(() => foldLines(shown), [shown]);
  useHistoryKeys(shown, selected);
  const first = rows.at(-1);
  return (
    <>
      <PageHead title="History" tools={<Tools by={by} setBy={setBy} text={text} setText={setText} />}>
        {first && `${plural(rows[0]?.op ?? 0, "operation")}, the earliest listed from ${date(Date.parse(first.at))}.`}
      </PageHead>
      <Scrubber rows={rows} isWhole={rows.length < LIMIT} selected={selected} />
      <div className="split hist">
        <div className="ops" tabIndex={0} role="region" aria-label="Operations">
          {shown.length === 0 ? (
            <Empty>No operation matches.</Empty>
          ) : (
            <Days lines={lines} current={selected} at={at} />
          )}
        </div>
        {selected !== null && <OperationPanel key={selected} op={selected} />}
      </div>
    </>
  );
}

export default function HistoryView() {
  const read = useRead("log", { limit: LIMIT }, { now: true });
  return (
    <Shown read={read} rows={10}>
      {({ operations }) =>
        operations.length === 0 ? (
          <>
            <PageHead title="History" />
            <Empty>Nothing has happened yet.</Empty>
          </>
        ) : (
          <HistoryBody rows={operations} />
        )
      }
    </Shown>
  );
}
