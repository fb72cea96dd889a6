// Insights: what does it cost, how fast is it, when is it done? Five charts and no more.

import "../styles/insights.css";
import { useState } from "react";
import { useRead } from "../api/reads.js";
import type { Output } from "../api/types.js";
import { featuresOf } from "../now/features.js";
import { PageHead, useNow } from "../parts/bits.js";
import { Plain } from "../parts/prose.js";
import { Shown } from "../parts/states.js";
import { dollars, hours, plural, tokens } from "../parts/words.js";
import { Chart } from "./chart.js";
import { durations, firstAttempts, hoursWaited, type Point, SAMPLES_NEEDED } from "./figures.js";

type Spending = Output<"stats">["spending"];
const GROUPS = ["days", "roles", "features"] as const;

function Cost({ spending }: { readonly spending: Spending }) {
  const [by, setBy] = useState<(typeof GROUPS)[number]>("days");
  const rows = spending[by];
  const isKnown = rows.some(({ costUsd }) => (costUsd ?? 0) > 0);
  const points: Point[] = rows.map(({ of, costUsd, tokens: used }) => ({ label: of, value: isKnown ? costUsd : used }));
  return (
    <div className="chart-group">
      <div className="seg small" role="tablist" aria-label="Cost by">
        {GROUPS.map((group) => (
          <button key={group} type="button" role="tab" aria-selected={group === by} onClick={() => setBy(group)}>
            by {group === "days" ? "day" : group === "roles" ? "role" : "feature"}
          </button>
        ))}
      </div>
      <Chart
        title={isKnown ? "Cost" : "Tokens"}
        hint={isKnown ? `${dollars(spending.total.costUsd)} in all` : "no agent reported a cost: shown in tokens"}
        points={points}
        format={isKnown ? (value) => dollars(value) : (value) => `${tokens(value)} tokens`}
        empty="No agent was asked yet."
      />
    </div>
  );
}

function ForecastTable() {
  const attempts = useRead("attempt.list", { all: true }).data ?? [];
  const status = useRead("status", {}).data;
  const { samples, half, most } = durations(attempts);
  const open = featuresOf(status?.tree ?? []).filter(({ progress }) => progress && progress.finished < progress.total);
  return (
    <section className="chart" aria-label="Forecast">
      <header className="sec">
        <h2>Forecast</h2>
        <span className="hint">from {plural(samples, "measured task")}, one worker at a time</span>
      </header>
      {samples < SAMPLES_NEEDED ? (
        <p className="hint">
          {plural(samples, "task")} measured so far. Below {SAMPLES_NEEDED} a forecast would be a guess, so there is
          none.
        </p>
      ) : (
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
            {open.map(({ id, title, progress }) => {
              const left = (progress?.total ?? 0) - (progress?.finished ?? 0);
              return (
                <tr key={id}>
                  <th scope="row">
                    <span className="id">{id}</span> <Plain text={title} />
                  </th>
                  <td className="r">{left}</td>
                  <td className="r">{hours(left * half)}</td>
                  <td className="r">{hours(left * most)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Charts({ stats }: { readonly stats: Output<"stats"> }) {
  const attempts = useRead("attempt.list", { all: true }).data ?? [];
  const questions = useRead("question.list", { all: true }).data ?? [];
  const now = useNow();
  return (
    <div className="charts">
      <Cost spending={stats.spending} />
      <Chart
        title="Tasks done by day"
        hint={`${stats.throughput.done} in all`}
        points={stats.throughput.recent.map(({ day, done }) => ({ label: day, value: done }))}
        format={(value) => plural(Math.round(value), "task")}
        empty="Nothing was done yet."
      />
      <Chart
        title="Accepted at the first attempt"
        hint="by the day of that attempt"
        points={firstAttempts(attempts)}
        format={(value) => `${Math.round(100 * value)} %`}
        empty="No attempt has ended yet."
      />
      <Chart
        title="Hours that work waited for a person"
        hint="by the day it was asked"
        points={hoursWaited(questions, now)}
        format={hours}
        empty="Nobody was asked yet."
      />
      <ForecastTable />
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
