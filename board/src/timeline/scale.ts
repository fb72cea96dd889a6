// Where a moment stands on the timeline. Left of now is what happened, right of it the forecast; each side has its own scale. Pure.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** With a forecast, this much of the width is the past. */
const PAST_SHARE = 0.72;
const LEAST_PAST = 10 * MINUTE;

export interface TimeScale {
  readonly from: number;
  readonly now: number;
  /** Equal to now without a forecast. */
  readonly to: number;
  /** In percent of the width. */
  readonly at: (time: number) => number;
}

export function timeScale(first: number, now: number, aheadMs: number): TimeScale {
  const from = Math.min(first, now - LEAST_PAST);
  const to = now + Math.max(0, aheadMs);
  const share = to > now ? PAST_SHARE : 1;
  const at = (time: number): number => {
    if (time <= now) return 100 * share * Math.max(0, (time - from) / (now - from));
    return 100 * (share + (1 - share) * Math.min(1, (time - now) / (to - now)));
  };
  return { from, now, to, at };
}

const STEPS = [MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY];
const MOST_TICKS = 6;

/** Round moments of the past, at most six. */
export function ticksOf({ from, now }: Pick<TimeScale, "from" | "now">): number[] {
  const fits = (each: number): boolean => (now - from) / each <= MOST_TICKS;
  const step = STEPS.find(fits) ?? DAY * Math.ceil((now - from) / DAY / MOST_TICKS);
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at < now; at += step) ticks.push(at);
  return ticks;
}
