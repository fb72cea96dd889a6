// The figures behind the charts, from what the server lists. Pure.

import type { AttemptRow, Question } from "../api/types.js";

export interface Point {
  readonly label: string;
  readonly value: number | null;
}

const dayOf = (iso: string): string => iso.slice(0, 10);

/** Days from the first to the last, none left out. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(`${first}T00:00:00Z`); at <= Date.parse(`${last}T00:00:00Z`); at += 86_400_000) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

/** Share of tasks whose first attempt was accepted, by the day of that attempt; null where none ended. */
export function firstAttempts(attempts: readonly AttemptRow[]): Point[] {
  const first = new Map<string, AttemptRow>();
  for (const attempt of attempts) {
    const known = first.get(attempt.task);
    if (!known || attempt.startedAt < known.startedAt) first.set(attempt.task, attempt);
  }
  const ended = [...first.values()].filter(({ endedAt }) => endedAt !== null);
  const days = ended.map(({ startedAt }) => dayOf(startedAt)).sort();
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined) return [];
  return daysBetween(from, to).map((day) => {
    const of = ended.filter(({ startedAt }) => dayOf(startedAt) === day);
    const accepted = of.filter(({ state }) => state === "accepted").length;
    return { label: day, value: of.length === 0 ? null : accepted / of.length };
  });
}

type Asked = Pick<Question, "createdAt" | "answer">;

/** Hours that questions waited for a person, by the day they were asked; open ones wait until now. */
export function hoursWaited(questions: readonly Asked[], now: number): Point[] {
  const days = questions.map(({ createdAt }) => dayOf(createdAt)).sort();
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined) return [];
  return daysBetween(from, to).map((day) => {
    const of = questions.filter(({ createdAt }) => dayOf(createdAt) === day);
    const ms = of.reduce(
      (sum, { createdAt, answer }) => sum + (answer === null ? now : Date.parse(answer.at)) - Date.parse(createdAt),
      0,
    );
    return { label: day, value: Math.max(0, ms) / 3_600_000 };
  });
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Below this, a forecast would be a guess. */
export const SAMPLES_NEEDED = 10;

export interface Forecast {
  readonly samples: number;
  /** Hours of one task, of every second and of four in five. */
  readonly half: number;
  readonly most: number;
}

/** How long tasks took, from their first attempt to their acceptance. */
export function durations(attempts: readonly AttemptRow[]): Forecast {
  const begun = new Map<string, number>();
  for (const { task, startedAt } of attempts)
    begun.set(task, Math.min(begun.get(task) ?? Number.POSITIVE_INFINITY, Date.parse(startedAt)));
  const hours = attempts
    .filter(({ state, endedAt }) => state === "accepted" && endedAt !== null)
    .map(({ task, endedAt }) => (Date.parse(endedAt ?? "") - (begun.get(task) ?? 0)) / 3_600_000);
  return { samples: hours.length, half: percentile(hours, 0.5), most: percentile(hours, 0.8) };
}
