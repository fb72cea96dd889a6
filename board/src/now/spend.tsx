// What was spent today, against the day's limit if there is one. Tokens where the cost is unknown.

import { useRead } from "../api/reads.js";
import { dollars, tokens } from "../parts/words.js";

const today = (): string => new Date().toISOString().slice(0, 10);

export function Spend() {
  const { data: costs } = useRead("costs", {});
  const { data: limit } = useRead("config.get", { key: "execution.dayCostUsd" });
  if (!costs) return null;
  const lines = costs.lines.filter(({ day }) => day === today());
  const used = lines.reduce((sum, line) => sum + line.tokens, 0);
  const priced = lines.filter(({ costUsd }) => costUsd !== null);
  const spent = priced.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  const most = typeof limit?.value === "number" && limit.value > 0 ? limit.value : null;
  const isUnknown = used > 0 && priced.length === 0;
  const words = isUnknown ? `${tokens(used)} tokens, cost unknown` : dollars(spent);
  return (
    <span className="spend">
      {most !== null && (
        <span className="bar wide" role="img" aria-label={`${words} of ${dollars(most)}`}>
          <i className="ink" style={{ width: `${Math.min(100, (100 * spent) / most)}%` }} />
        </span>
      )}
      {most === null || isUnknown ? `${words} today` : `${words} of ${dollars(most)} today`}
    </span>
  );
}
