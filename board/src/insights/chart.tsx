// A bar chart with its table: the table is what a screen reader gets, and you with a click.

import { type ReactNode, useId, useState } from "react";
import { Button } from "../parts/button.js";
import { Plain } from "../parts/plain.js";
import { date } from "../parts/words.js";

const WIDTH = 520;
const HEIGHT = 120;

export interface Part {
  readonly of: string;
  readonly value: number;
}

export interface Point {
  /** A day, `2026-11-18`. */
  readonly label: string;
  /** Null is unknown. */
  readonly value: number | null;
  /** What it is made of, for stacked bars. */
  readonly parts?: readonly Part[];
}

interface ChartProps {
  readonly title: string;
  readonly hint: string;
  readonly points: readonly Point[];
  readonly format: (value: number) => string;
  /** Said where there is nothing to draw. */
  readonly empty: string;
  readonly tools?: ReactNode;
}

const dayWords = (day: string): string => (/^\d{4}-\d\d-\d\d$/.test(day) ? date(Date.parse(`${day}T12:00:00`)) : day);

/** Names of the parts, the largest first. */
function partNames(points: readonly Point[]): string[] {
  const sums = new Map<string, number>();
  for (const { parts = [] } of points) for (const { of, value } of parts) sums.set(of, (sums.get(of) ?? 0) + value);
  return [...sums].sort((a, b) => b[1] - a[1]).map(([of]) => of);
}

const TONES = 4;
const toneOf = (names: readonly string[], of: string): string => `tone${Math.min(TONES - 1, names.indexOf(of))}`;

function BarOf({ point, x, width, most, names }: { readonly point: Point } & BarPlace) {
  const { value, parts = [{ of: "", value: value ?? 0 }] } = point;
  let top = HEIGHT;
  return parts.map((part) => {
    const height = (part.value / most) * (HEIGHT - 6);
    top -= height;
    return <rect key={part.of} className={toneOf(names, part.of)} x={x} y={top} width={width} height={height} />;
  });
}

interface BarPlace {
  readonly x: number;
  readonly width: number;
  readonly most: number;
  readonly names: readonly string[];
}

function Bars({ points, format }: Pick<ChartProps, "points" | "format">) {
  const highest = Math.max(0, ...points.map(({ value }) => value ?? 0));
  const most = highest === 0 ? 1 : highest;
  const step = WIDTH / Math.max(1, points.length);
  const width = Math.max(1, Math.min(28, step * 0.7));
  const names = partNames(points);
  return (
    <>
      <div className="plot">
        <span className="most" aria-hidden="true">
          {format(highest)}
        </span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`} preserveAspectRatio="none" aria-hidden="true">
          <path className="guide" d={`M0 6H${WIDTH}`} />
          {points.map((point, index) => (
            <g key={point.label}>
              <title>{`${dayWords(point.label)}: ${point.value === null ? "unknown" : format(point.value)}`}</title>
              <BarOf point={point} x={index * step + (step - width) / 2} width={width} most={most} names={names} />
            </g>
          ))}
          <path d={`M0 ${HEIGHT + 0.5}H${WIDTH}`} />
        </svg>
      </div>
      <p className="axis" aria-hidden="true">
        <span>{dayWords(points[0]?.label ?? "")}</span>
        <span>{points.length > 1 && dayWords(points.at(-1)?.label ?? "")}</span>
      </p>
      {names.length > 1 && (
        <ul className="legend" aria-hidden="true">
          {names.slice(0, TONES).map((name, index) => (
            <li key={name}>
              <i className={`tone${index}`} />
              <Plain text={index === TONES - 1 && names.length > TONES ? "others" : name} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Table({ title, points, format, shown }: TableProps) {
  const names = partNames(points);
  return (
    <table className={shown ? "" : "sr"}>
      <caption className="sr">{title}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {names.map((name) => (
            <th key={name} scope="col" className="r">
              <Plain text={name} />
            </th>
          ))}
          <th scope="col" className="r">
            {names.length > 0 ? "all" : "value"}
          </th>
        </tr>
      </thead>
      <tbody>
        {points.map(({ label, value, parts = [] }) => (
          <tr key={label}>
            <th scope="row">{dayWords(label)}</th>
            {names.map((name) => (
              <td key={name} className="r">
                {format(parts.find(({ of }) => of === name)?.value ?? 0)}
              </td>
            ))}
            <td className="r">{value === null ? "unknown" : format(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface TableProps extends Pick<ChartProps, "title" | "points" | "format"> {
  readonly shown: boolean;
}

export function Chart({ title, hint, points, format, empty, tools }: ChartProps) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  const isEmpty = points.every(({ value }) => value === null || value === 0);
  return (
    <section className="chart" aria-labelledby={id}>
      <header className="sec">
        <h2 id={id}>{title}</h2>
        <span className="hint">{hint}</span>
        <span className="grow" />
        {!isEmpty && tools}
        {!isEmpty && (
          <Button kind="quiet" pressed={isTable} label={`Table: ${title}`} onClick={() => setTable(!isTable)}>
            Table
          </Button>
        )}
      </header>
      {isEmpty ? (
        <p className="hint">{empty}</p>
      ) : (
        <>
          {!isTable && <Bars points={points} format={format} />}
          <Table title={title} points={points} format={format} shown={isTable} />
        </>
      )}
    </section>
  );
}
