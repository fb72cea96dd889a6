// What was spent today, against the day's limit if there is one. Tokens where the cost is unknown.

import { useRead } from "../api/reads.js";
import { dollars, tokens } from "../parts/words.js";

const today = (): string => new Date().toISOString().slice(0, 10);

export function Spend() {
  const { data: stats } = useRead("stats", {});
  const { data: limit } = useRead("config.get", { key: "execution.dayCostUsd" });
  const day = stats?.spending.days.find(({ of }) => of === today());
  if (!day || (day.tokens === 0 && !day.costUsd)) return null;
  const most = typeof limit?.value === "number" ? limit.value : null;
  const spent =
    day.costUsd === null || day.costUsd === undefined ? `${tokens(day.tokens)} tokens` : dollars(day.costUsd);
  return (
    <span className="spend">
      {most !== null && most > 0 && (
        <span className="bar wide" role="img" aria-label={`${spent} of ${dollars(most)}`}>
          <i className="ink" style={{ width: `${Math.min(100, (100 * (day.costUsd ?? 0)) / most)}%` }} />
        </span>
      )}
      {most === null ? `${spent} today` : `${spent} of ${dollars(most)} today`}
    </span>
  );
}
