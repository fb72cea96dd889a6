// What a row of the timeline draws. Pure.

import type { AttemptRow } from "../api/types.js";
import { lasted } from "../parts/words.js";

export interface TimeBar {
  readonly kind: "work" | "wait" | "ask" | "bad";
  readonly begin: number;
  readonly end: number;
  readonly words: string;
}

type Timed = Pick<AttemptRow, "id" | "state" | "startedAt" | "endedAt">;

/** From the first attempt to now, or the last day if there is none. */
export function rangeOf(attempts: readonly Timed[], now: number): { readonly from: number; readonly to: number } {
  const starts = attempts.map(({ startedAt }) => Date.parse(startedAt));
  return { from: starts.length === 0 ? now - 86_400_000 : Math.min(...starts), to: now };
}

const BAD: ReadonlySet<string> = new Set(["rejected", "failed", "lost"]);

/** Attempts are solid; between them, and after the last one of a task that is not over, it waits. */
export function barsOf(attempts: readonly Timed[], isOver: boolean, asks: boolean, now: number): TimeBar[] {
  const sorted = [...attempts].sort((a, b) => a.startedAt.localeCompare(b.startedAt));
  const bars: TimeBar[] = [];
  let last: number | undefined;
  for (const { id, state, startedAt, endedAt } of sorted) {
    const begin = Date.parse(startedAt);
    const end = endedAt === null ? now : Date.parse(endedAt);
    if (last !== undefined && begin > last)
      bars.push({ kind: "wait", begin: last, end: begin, words: `waited ${lasted(begin - last)}` });
    bars.push({ kind: BAD.has(state) ? "bad" : "work", begin, end, words: `${id}, ${state}, ${lasted(end - begin)}` });
    last = end;
  }
  if (last !== undefined && !isOver && last < now) {
    bars.push({ kind: asks ? "ask" : "wait", begin: last, end: now, words: `waits for ${lasted(now - last)}` });
  }
  return bars;
}
