// How much may go wrong, take or cost before work stops: storms of failures, silence, and budgets.

const MINUTE = 60_000;

export interface StormSettings {
  readonly failures: number;
  readonly minutes: number;
  readonly pauseMinutes: number;
}

/** `open`: nothing begins until the pause is over. `half-open`: it is over, and one attempt may try. */
export interface Breaker {
  readonly state: "closed" | "open" | "half-open";
  /** When the pause of an open breaker is over. */
  readonly until: number | null;
}

/** The failures since the last success: a success closes it. One more failure after the pause opens it again. */
export function stormBreaker(failureTimes: readonly number[], storm: StormSettings, now: number): Breaker {
  const times = [...failureTimes].sort((a, b) => a - b);
  const pause = storm.pauseMinutes * MINUTE;
  let openedAt: number | null = null;
  for (const [i, at] of times.entries()) {
    const first = times[i - storm.failures + 1];
    const isStorm = first !== undefined && at - first <= storm.minutes * MINUTE;
    const triedAgain = openedAt !== null && at >= openedAt + pause;
    if (triedAgain || (openedAt === null && isStorm)) openedAt = at;
  }
  if (openedAt === null) return { state: "closed", until: null };
  const until = openedAt + pause;
  return now < until ? { state: "open", until } : { state: "half-open", until: null };
}

export interface Spent {
  readonly tokens: number;
  /** Null if the cost is not known: then no limit applies. */
  readonly costUsd: number | null;
}

export interface SpendingLimits {
  readonly attemptMinutes: number;
  readonly attemptTokens: number | null;
  readonly attemptCostUsd: number | null;
  readonly featureTokens: number | null;
  readonly featureCostUsd: number | null;
  readonly dayTokens: number | null;
  readonly dayCostUsd: number | null;
}

/** The first limit that is reached. What one attempt may use, its own turn looks after. */
export const overBudget = (spent: Readonly<Record<"feature" | "day", Spent>>, limits: SpendingLimits) =>
  reached("feature", spent.feature, limits.featureTokens, limits.featureCostUsd) ??
  reached("day", spent.day, limits.dayTokens, limits.dayCostUsd);

function reached(
  scope: "feature" | "day",
  { tokens, costUsd }: Spent,
  tokenLimit: number | null,
  costLimit: number | null,
) {
  if (tokenLimit !== null && tokens >= tokenLimit) {
    return { scope, reason: `the ${scope} used ${tokens} of ${tokenLimit} tokens (execution.${scope}Tokens)` };
  }
  if (costLimit === null || costUsd === null || costUsd < costLimit) return null;
  const cost = `$${costUsd.toFixed(2)} of $${costLimit.toFixed(2)}`;
  return { scope, reason: `the ${scope} cost ${cost} (execution.${scope}CostUsd)` };
}
