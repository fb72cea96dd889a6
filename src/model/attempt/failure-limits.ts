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
  /** Of an open one: when the pause is over. */
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

export const isStalled = (lastEventAt: number, now: number, { stallMinutes }: { stallMinutes: number }): boolean =>
  now - lastEventAt >= stallMinutes * MINUTE;

export interface Spent {
  readonly tokens: number;
  /** Null if the cost is not known: then no limit applies. */
  readonly costUsd: number | null;
}

export interface SpentSoFar {
  readonly attempt: Spent & { readonly ms: number };
  readonly feature: Spent;
  readonly day: Spent;
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

export interface OverBudget {
  readonly scope: keyof SpentSoFar;
  readonly what: "time" | "tokens" | "cost";
  readonly used: number;
  readonly limit: number;
  /** One phrase for people, with the setting that sets the limit. */
  readonly reason: string;
}

const SCOPES = { attempt: "this attempt", feature: "the feature", day: "the day" } as const;

/** The first limit that is reached, from the attempt outwards. */
export function overBudget(spent: SpentSoFar, limits: SpendingLimits): OverBudget | null {
  const { attempt, feature, day } = spent;
  const minutes = limits.attemptMinutes;
  if (attempt.ms >= minutes * MINUTE) {
    const reason = `${SCOPES.attempt} took its ${minutes} minutes (execution.attemptMinutes)`;
    return { scope: "attempt", what: "time", used: attempt.ms / MINUTE, limit: minutes, reason };
  }
  return (
    reached("attempt", attempt, limits.attemptTokens, limits.attemptCostUsd) ??
    reached("feature", feature, limits.featureTokens, limits.featureCostUsd) ??
    reached("day", day, limits.dayTokens, limits.dayCostUsd)
  );
}

function reached(
  scope: keyof SpentSoFar,
  { tokens, costUsd }: Spent,
  tokenLimit: number | null,
  costLimit: number | null,
): OverBudget | null {
  if (tokenLimit !== null && tokens >= tokenLimit) {
    const reason = `${SCOPES[scope]} used ${tokens} of ${tokenLimit} tokens (execution.${scope}Tokens)`;
    return { scope, what: "tokens", used: tokens, limit: tokenLimit, reason };
  }
  if (costLimit !== null && costUsd !== null && costUsd >= costLimit) {
    const reason = `${SCOPES[scope]} cost $${costUsd.toFixed(2)} of $${costLimit.toFixed(2)} (execution.${scope}CostUsd)`;
    return { scope, what: "cost", used: costUsd, limit: costLimit, reason };
  }
  return null;
}
