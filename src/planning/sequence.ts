// In which order a draft can be carried out: what may run together, what takes longest, and which edges keep tasks
// apart that touch the same files. Computed, never asked of an agent.

import { computeCriticalPath, computeWaves, type Order, orderOf } from "../model/order/order.js";
import type { PlanDraft } from "./contracts/plan-draft.js";
import { type FileOverlap, findOverlaps } from "./draft/overlaps.js";
import { type Shape, shapeOf, taskOf, walk } from "./draft/shape.js";

/** A dependency that keeps two tasks apart; it only delays. */
export interface AddedEdge {
  readonly task: string;
  readonly on: string;
  readonly why: string;
}

export interface Sequence {
  /** Tasks that may run together; what waits for itself comes last. */
  readonly waves: readonly (readonly string[])[];
  readonly criticalPath: readonly string[];
  /** Of the critical path; a task without an estimate counts one. */
  readonly hours: number;
  readonly totalHours: number;
  readonly added: readonly AddedEdge[];
  /** Pairs that no edge can order, because each feature would wait for the other's landing. */
  readonly unordered: readonly { readonly tasks: readonly [string, string]; readonly paths: readonly string[] }[];
  readonly steelThread: readonly string[];
  /** All tasks, each after what it waits for, the steel thread as early as can be. */
  readonly order: readonly string[];
  /** Tasks that wait for themselves. */
  readonly cyclic: readonly string[];
}

const hoursOf = (shape: Shape, nr: number): number => (nr < shape.tasks ? (taskOf(shape, nr).estimateHours ?? 1) : 0);

const numbersOf = (shape: Shape): number[] => shape.ids.map((_, nr) => nr);

const orderBy = (shape: Shape, waits: Shape["waits"]): Order<number> =>
  orderOf(numbersOf(shape), (nr) => waits[nr] as readonly number[]);

/** Overlaps of everything that has an order. */
function overlapsIn(shape: Shape, { rest }: Order<number>): FileOverlap[] {
  const knotted = new Set(rest);
  const walked = walk([...shape.tops, ...numbersOf(shape)], shape.waits);
  return findOverlaps(
    shape,
    walked.filter((nr) => !knotted.has(nr)),
  );
}

export const sequence = (draft: PlanDraft): Sequence => sequenceShape(shapeOf(draft));

export function sequenceShape(shape: Shape): Sequence {
  const stated = orderBy(shape, shape.waits);
  const overlaps = overlapsIn(shape, stated);
  const apart = overlaps.filter(({ orderable }) => !orderable);
  const waits = withEdges(shape, overlaps, true);
  // Most plans have nothing to keep apart, and then one order is all of them.
  const ordered = overlaps.length === 0 ? stated : orderBy(shape, waits);
  const hard = apart.length === 0 ? ordered : orderBy(shape, withEdges(shape, overlaps, false));
  const isTask = (nr: number): boolean => nr < shape.tasks;
  const isSteel = (nr: number): boolean => isTask(nr) && taskOf(shape, nr).steelThread;
  const all = numbersOf(shape);
  const order = walk([...all.filter(isSteel), ...shape.tops, ...all], waits).filter(isTask);
  const rank = new Map(order.map((nr, at) => [nr, at]));
  const { waves, cyclic } = computeWaves(ordered, isTask, isTask);
  const critical = computeCriticalPath(hard, (nr) => hoursOf(shape, nr), isTask);
  const name = (nr: number): string => shape.ids[nr] as string;
  const byRank = (a: number, b: number): number => (rank.get(a) as number) - (rank.get(b) as number);
  return {
    waves: waves.map((wave) => [...wave].sort(byRank).map(name)),
    criticalPath: critical.path.filter(isTask).map(name),
    hours: critical.hours,
    totalHours: all.reduce((sum, nr) => sum + hoursOf(shape, nr), 0),
    added: overlaps
      .filter(({ orderable }) => orderable)
      .map(({ later, earlier, paths }) => ({
        task: name(later),
        on: name(earlier),
        why: `both touch ${listed(paths)}`,
      })),
    unordered: apart.map(({ earlier, later, paths }) => ({ tasks: [name(earlier), name(later)], paths })),
    steelThread: order.filter(isSteel).map(name),
    order: order.map(name),
    cyclic: cyclic.map(name),
  };
}

const listed = (paths: readonly string[]): string =>
  paths.length <= 3 ? paths.join(", ") : `${paths.slice(0, 3).join(", ")} and ${paths.length - 3} more`;

/** With the edges that keep tasks apart; `soft`: also where no edge can be, since they take different waves all the same. */
function withEdges(shape: Shape, overlaps: readonly FileOverlap[], soft: boolean): (readonly number[])[] {
  const waits = [...shape.waits];
  for (const { later, earlier, orderable } of overlaps) {
    if (!orderable && !soft) continue;
    const lands = orderable && shape.mustLand(later, earlier) ? [shape.groups[earlier] as number] : [];
    waits[later] = [...(waits[later] as readonly number[]), earlier, ...lands];
  }
  return waits;
}
