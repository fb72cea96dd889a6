// The parts of a split as a small graph: each stands in the column after everything that comes before it.

import type { Question } from "../api/types.js";
import { Code, Plain } from "../parts/plain.js";
import { Prose } from "../parts/prose.js";
import { plural } from "../parts/words.js";
import { columnsOf } from "./columns-of.js";

type Draft = NonNullable<Question["split"]>;
type Part = Draft["parts"][number];

const WIDTH = 208;
const GAP = 28;
const HEIGHT = 56;
const ROW = 66;

function PartBox({ part, number }: { readonly part: Part; readonly number: number }) {
  const { title, files, checks } = part;
  return (
    <>
      <b>
        <span className="id">{number}</span> <Plain text={title} />
      </b>
      <small title={files.join(", ")}>
        <Code text={checks[0]?.run ?? (files.length > 0 ? files.join(", ") : "no check")} />
        {checks.length > 1 && ` and ${plural(checks.length - 1, "more check")}`}
      </small>
    </>
  );
}

export function SplitParts({ draft: { why, parts } }: { readonly draft: Draft }) {
  const columns = columnsOf(parts.map(({ after }) => after));
  const rows = new Map<number, number>();
  const places = columns.map((column) => {
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    return { x: column * (WIDTH + GAP), y: row * ROW };
  });
  const width = (Math.max(0, ...columns) + 1) * (WIDTH + GAP) - GAP;
  const height = Math.max(1, ...rows.values()) * ROW;
  const edges = parts.flatMap(({ after }, to) => after.map((from) => ({ from, to })));
  return (
    <div className="evidence">
      <p>
        <Prose text={why} />
      </p>
      <div className="split-graph" tabIndex={0} role="group" aria-label={`${parts.length} parts`}>
        <div style={{ width, height }}>
          <svg width={width} height={height} aria-hidden="true">
            {edges.map(({ from, to }) => {
              const [a, b] = [places[from], places[to]];
              if (!a || !b) return null;
              const [x1, y1, x2, y2] = [a.x + WIDTH, a.y + HEIGHT / 2, b.x, b.y + HEIGHT / 2];
              const middle = (x1 + x2) / 2;
              return <path key={`${from} ${to}`} d={`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`} />;
            })}
          </svg>
          <ol>
            {parts.map((part, index) => (
              <li key={index} style={{ left: places[index]?.x ?? 0, top: places[index]?.y ?? 0, width: WIDTH }}>
                <PartBox part={part} number={index + 1} />
              </li>
            ))}
          </ol>
        </div>
      </div>
    </div>
  );
}
