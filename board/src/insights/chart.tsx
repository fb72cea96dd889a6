// A bar chart with its table: the table is what a screen reader gets, and everybody with a click.

import { useId, useState } from "react";
import { Button } from "../parts/button.js";

const WIDTH = 520;
const HEIGHT = 120;

export interface Point {
  readonly label: string;
  /** Null is unknown. */
  readonly value: number | null;
}

interface ChartProps {
  readonly title: string;
  readonly hint: string;
  readonly points: readonly Point[];
  readonly format: (value: number) => string;
  /** Said where there is nothing to draw. */
  readonly empty: string;
}

function Bars({ points, format }: Pick<ChartProps, "points" | "format">) {
  const most = Math.max(1e-9, ...points.map(({ value }) => value ?? 0));
  const step = WIDTH / Math.max(1, points.length);
  const width = Math.max(1, Math.min(28, step * 0.7));
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`} preserveAspectRatio="none" aria-hidden="true">
        {points.map(({ label, value }, index) => {
          const height = ((value ?? 0) / most) * (HEIGHT - 6);
          return (
            <rect key={label} x={index * step + (step - width) / 2} y={HEIGHT - height} width={width} height={height}>
              <title>{`${label}: ${value === null ? "unknown" : format(value)}`}</title>
            </rect>
          );
        })}
        <path d={`M0 ${HEIGHT + 0.5}H${WIDTH}`} />
      </svg>
      <p className="axis" aria-hidden="true">
        <span>{points[0]?.label}</span>
        <span>most: {format(most)}</span>
        <span>{points.at(-1)?.label}</span>
      </p>
    </>
  );
}

function Table({
  title,
  points,
  format,
  shown,
}: Pick<ChartProps, "title" | "points" | "format"> & { readonly shown: boolean }) {
  return (
    <table className={shown ? "" : "sr"}>
      <caption className="sr">{title}</caption>
      <tbody>
        {points.map(({ label, value }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td className="r">{value === null ? "unknown" : format(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Chart({ title, hint, points, format, empty }: ChartProps) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  const isEmpty = points.every(({ value }) => value === null);
  return (
    <section className="chart" aria-labelledby={id}>
      <header className="sec">
        <h2 id={id}>{title}</h2>
        <span className="hint">{hint}</span>
        <span className="grow" />
        {!isEmpty && (
          <Button kind="quiet" pressed={isTable} onClick={() => setTable(!isTable)}>
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
