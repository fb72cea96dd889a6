// The order in which things can be done when some wait for others: linear, and without recursion.

import type { Nr } from "../node/node.js";

export interface Order<T> {
  /** Each after everything that it waits for. */
  readonly sorted: readonly T[];
  /** Members of cycles, and whatever waits for them: these have no order. */
  readonly rest: readonly T[];
  /** What each waits for, within the given items. */
  readonly waits: ReadonlyMap<T, readonly T[]>;
}

export function orderOf<T>(items: Iterable<T>, waitsFor: (item: T) => readonly T[]): Order<T> {
  const known = new Set(items);
  const waits = new Map<T, readonly T[]>();
  for (const item of known) {
    waits.set(
      item,
      distinct(waitsFor(item)).filter((other) => known.has(other)),
    );
  }
  const sorted = peel(waits);
  const done = new Set(sorted);
  return { sorted, rest: [...known].filter((item) => !done.has(item)), waits };
}

/** Most wait for one thing or none, which needs no set. */
const distinct = <T>(items: readonly T[]): readonly T[] => (items.length < 2 ? items : [...new Set(items)]);

export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = lists.get(key);
  if (known) known.push(value);
  else lists.set(key, [value]);
}

/** Takes away what waits for nothing, again and again, until nothing more comes loose. */
function peel<T>(waits: ReadonlyMap<T, readonly T[]>): T[] {
  const open = new Map<T, number>();
  const behind = new Map<T, T[]>();
  for (const [item, others] of waits) {
    open.set(item, others.length);
    for (const other of others) addTo(behind, other, item);
  }
  const loose = [...waits.keys()].filter((item) => open.get(item) === 0);
  // The list grows while it is walked.
  for (const item of loose) {
    for (const waiter of behind.get(item) ?? []) {
      const left = (open.get(waiter) as number) - 1;
      open.set(waiter, left);
      if (left === 0) loose.push(waiter);
    }
  }
  return loose;
}

/** What has no order because it is in a cycle, or between two of them. */
export function knotOf<T>({ rest, waits }: Order<T>): T[] {
  const inRest = new Set(rest);
  const reversed = new Map<T, T[]>(rest.map((item) => [item, []]));
  for (const item of rest) {
    for (const other of waits.get(item) as readonly T[]) if (inRest.has(other)) reversed.get(other)?.push(item);
  }
  const loose = new Set(peel(reversed));
  return rest.filter((item) => !loose.has(item));
}

interface Slot {
  readonly end: number;
  /** What ends last of all that it waits for. */
  readonly before: Nr | undefined;
}

/** When each ends if nothing waits longer than it must. */
function scheduleOf({ sorted, waits }: Order<Nr>, costOf: (nr: Nr) => number): ReadonlyMap<Nr, Slot> {
  const schedule = new Map<Nr, Slot>();
  for (const nr of sorted) {
    let [start, before]: [number, Nr | undefined] = [0, undefined];
    for (const other of waits.get(nr) as readonly Nr[]) {
      const { end } = schedule.get(other) as Slot;
      if (end > start) [start, before] = [end, other];
    }
    schedule.set(nr, { end: start + costOf(nr), before });
  }
  return schedule;
}

/** `counts`: only these are listed; the others (containers, tasks elsewhere) still hold back what waits for them.
 *  `isTask`: what takes a wave of its own. What has no order, because it waits for a cycle, comes last. `cyclic`: tasks that wait for
 *  themselves. */
export function computeWaves(order: Order<Nr>, isTask: (nr: Nr) => boolean, counts: (nr: Nr) => boolean) {
  const waves = new Map<number, Nr[]>();
  for (const [nr, { end }] of scheduleOf(order, (each) => Number(isTask(each)))) {
    if (isTask(nr) && counts(nr)) addTo(waves, end, nr);
  }
  const listed = [...waves].sort(([a], [b]) => a - b).map(([, members]) => members.sort((a, b) => a - b));
  const last = order.rest.filter((nr) => isTask(nr) && counts(nr)).sort((a, b) => a - b);
  const cyclic = knotOf(order).filter((nr) => isTask(nr) && counts(nr));
  return { waves: last.length > 0 ? [...listed, last] : listed, cyclic: cyclic.sort((a, b) => a - b) };
}

/** First to last. Only chains that end in something that `counts`; what has no order is left out. */
export function computeCriticalPath(
  order: Order<Nr>,
  hoursOf: (nr: Nr) => number,
  counts: (nr: Nr) => boolean,
): { readonly path: readonly Nr[]; readonly hours: number } {
  const schedule = scheduleOf(order, hoursOf);
  let [last, hours]: [Nr | undefined, number] = [undefined, 0];
  for (const [nr, { end }] of schedule)
    if (counts(nr) && (last === undefined || end > hours)) [last, hours] = [nr, end];
  const path: Nr[] = [];
  for (let at = last; at !== undefined; at = schedule.get(at)?.before) path.push(at);
  return { path: path.reverse(), hours };
}

// How long open tasks will take, from how long finished ones took: the plan is played through many times, each time with durations drawn
// from those that were measured, and the longest chain counts. The draws are the same for the same plan.

/** With fewer samples a forecast would be a guess. */
export const FEWEST_SAMPLES = 10;

const PLAYS = 200;

/**
 * In milliseconds of work: `likelyMs`, no more than which half of the plays took, and `safeMs`, the same for four of five. Null with too
 * few samples. `isTask`: what takes time; everything else only passes waiting on.
 */
export function forecastOf(order: Order<Nr>, isTask: (nr: Nr) => boolean, samplesMs: readonly number[]) {
  if (samplesMs.length < FEWEST_SAMPLES) return null;
  const draw = drawFrom(samplesMs);
  const plays: number[] = [];
  for (let play = 0; play < PLAYS; play++) {
    let latest = 0;
    for (const { end } of scheduleOf(order, (nr) => (isTask(nr) ? draw() : 0)).values()) latest = Math.max(latest, end);
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
