// How long open tasks will take, from how long finished ones took: the plan is played through many times, each time with durations
// drawn from those that were measured, and the longest chain counts. The draws are the same for the same plan.

import type { Nr } from "../node/node.js";
import type { Order } from "./order.js";

export interface Forecast {
  /** In milliseconds of work: half of the plays took no longer, and four of five. */
  readonly likelyMs: number;
  readonly safeMs: number;
}

/** With fewer samples a forecast would be a guess. */
export const FEWEST_SAMPLES = 10;

const PLAYS = 200;

/** Null with too few samples. `isTask`: what takes time; everything else only passes waiting on. */
export function forecastOf(
  order: Order<Nr>,
  isTask: (nr: Nr) => boolean,
  samplesMs: readonly number[],
): Forecast | null {
  if (samplesMs.length < FEWEST_SAMPLES) return null;
  const draw = drawFrom(samplesMs);
  const plays: number[] = [];
  for (let play = 0; play < PLAYS; play++) {
    const ends = new Map<Nr, number>();
    let latest = 0;
    for (const nr of order.sorted) {
      let start = 0;
      for (const other of order.waits.get(nr) as readonly Nr[]) start = Math.max(start, ends.get(other) as number);
      const end = start + (isTask(nr) ? draw() : 0);
      ends.set(nr, end);
      latest = Math.max(latest, end);
    }
    plays.push(latest);
  }
  plays.sort((a, b) => a - b);
  const at = (share: number): number => Math.round(plays[Math.ceil(PLAYS * share) - 1] as number);
  return { likelyMs: at(0.5), safeMs: at(0.8) };
}

/** A small generator of our own: the same numbers each time, evenly spread. */
function drawFrom(samples: readonly number[]): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return samples[Math.floor((state / 2 ** 32) * samples.length)] as number;
  };
}
