// Insights: what does it cost, how fast is it, when is it done? Five charts and no more.

import "../styles/insights.css";
import { useState } from "react";
import { useRead } from "../api/reads.js";
import type { Output } from "../api/types.js";
import { PageHead } from "../parts/bits.js";
import { Plain } from "../parts/plain.js";
import { Shown } from "../parts/states.js";
import { dollars, hours, plural, tokens } from "../parts/words.js";
import { Chart, type Part, type Point } from "./chart.js";

const GROUPS = ["role", "feature", "model"] as const;

type CostLines = Output<"costs">["lines"];

/** One bar for each day, made of roles, features or models. Tokens where no agent says what it cost. */
function pointsOf(lines: CostLines, isPriced: boolean): Point[] {
  const days = new Map<string, Part[]>();
  for (const { day, of, costUsd, tokens: used } of lines) {
    days.set(day, [...(days.get(day) ?? []), { of, value: isPriced ? (costUsd ?? 0) : used }]);
  }
  return [...days].map(([label, parts]) => ({
    label,
    parts,
    value: parts.reduce((sum, { value }) => sum + value, 0),
  }));
}

function Cost() {
  const [by, setBy] = useState<(typeof GROUPS)[number]>("role");
  const read = useRead("costs", { by });
  return (
    <Shown read={read} rows={3}>
      {({ lines, total }) => {
        const isPriced = total.costUsd !== null;
        const unknown = total.unpriced > 0 ? `, ${plural(total.unpriced, "call")} of unknown cost` : "";
        return (
          <Chart
            title={isPriced ? "Cost by day" : "Tokens by day"}
            hint={isPriced ? `${dollars(total.costUsd)} in all${unknown}` : "no agent said what it cost"}
            points={pointsOf(lines, isPriced)}
            format={isPriced ? (value) => dollars(value) : (value) => `${tokens(value)} tokens`}
            empty="No agent has used anything yet."
            tools={
              <div className="seg small" role="radiogroup" aria-label="Cost by">
                {GROUPS.map((group) => (
                  <button
                    key={group}
                    type="button"
                    role="radio"
                    aria-checked={group === by}
                    onClick={() => setBy(group)}
                  >
                    {group}
                  </button>
                ))}
              </div>
            }
          />
        );
      }}
    </Shown>
  );
}

function ForecastTable({ features }: { readonly features: Output<"forecast">["features"] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Feature</th>
          <th scope="col" className="r">
            open tasks
          </th>
          <th scope="col" className="r">
            50 %
          </th>
          <th scope="col" className="r">
            80 %
          </th>
        </tr>
      </thead>
      <tbody>
        {features.map(({ id, title, tasks, likelyHours, safeHours }) => (
          <tr key={id}>
            <th scope="row">
              <span className="id">{id}</span> <Plain text={title} />
            </th>
            <td className="r">{tasks}</td>
            <td className="r">{likelyHours === null ? "unknown" : hours(likelyHours)}</td>
            <td className="r">{safeHours === null ? "unknown" : hours(safeHours)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Forecast() {
  const read = useRead("forecast", {});
  return (
    <section className="chart" aria-label="Forecast">
      <Shown read={read} rows={3}>
        {({ samples, fewestSamples, features }) => (
          <>
            <header className="sec">
              <h2>Forecast</h2>
              <span className="hint">hours of work, from {plural(samples, "measured task")}</span>
            </header>
            {samples < fewestSamples ? (
              <p className="hint">
                {plural(samples, "task")} measured so far. Below {fewestSamples} a forecast would be a guess, so there
                is none.
              </p>
            ) : (
              <ForecastTable features={features} />
            )}
          </>
        )}
      </Shown>
    </section>
  );
}

type Day = Output<"throughput">["days"][number];

const share = ({ firstAttempts, acceptedAtFirst }: Day): number | null =>
  firstAttempts === 0 ? null : acceptedAtFirst / firstAttempts;

function Charts({ stats }: { readonly stats: Output<"stats"> }) {
  const days = useRead("throughput", {}).data?.days ?? [];
  const byDay = (value: (day: Day) => number | null): Point[] =>
    days.map((day) => ({ label: day.day, value: value(day) }));
  return (
    <div className="charts">
      <Cost />
      <Chart
        title="Tasks done by day"
        hint={`${stats.throughput.done} in all`}
        points={byDay(({ done }) => done)}
        format={(value) => plural(Math.round(value), "task")}
        empty="Nothing was done yet."
      />
      <Chart
        title="Accepted at the first attempt"
        hint="by day"
        points={byDay(share)}
        format={(value) => `${Math.round(100 * value)} %`}
        empty="No attempt has ended yet."
      />
      <Chart
        title="Hours that work waited for a person"
        hint="by day"
        points={byDay(({ waitedHours }) => waitedHours)}
        format={hours}
        empty="Nobody was asked yet."
      />
      <Forecast />
    </div>
  );
}

export default function InsightsView() {
  const read = useRead("stats", {});
  return (
    <>
      <PageHead title="Insights">What it costs, how fast it is, and when it is done.</PageHead>
      <Shown read={read}>{(stats) => <Charts stats={stats} />}</Shown>
    </>
  );
}
