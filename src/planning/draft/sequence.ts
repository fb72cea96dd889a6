// In which order a draft can be carried out: what may run together, what takes longest, and which edges keep tasks
// apart that touch the same files. Computed, never asked of an agent.

import { append } from "../../base/append.js";
import { idKey } from "../../model/node/ids.js";
import { computeCriticalPath, computeWaves, type Order, orderOf } from "../../model/order/order.js";
import { firstOf } from "../../model/words.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { type Shape, shapeOf, taskOf, walk } from "./shape.js";

export type Sequence = ReturnType<typeof sequenceShape>;

const hoursOf = (shape: Shape, nr: number): number => (nr < shape.tasks ? (taskOf(shape, nr).estimateHours ?? 1) : 0);

const numbersOf = (shape: Shape): number[] => shape.ids.map((_, nr) => nr);

const orderBy = (shape: Shape, waits: Shape["waits"]): Order<number> =>
  orderOf(numbersOf(shape), (nr) => waits[nr] as readonly number[]);

function overlapsIn(shape: Shape, { rest }: Order<number>): FileOverlap[] {
  const knotted = new Set(rest);
  const walked = walk([...shape.tops, ...numbersOf(shape)], shape.waits);
  return findOverlaps(
    shape,
    walked.filter((nr) => !knotted.has(nr)),
  );
}

export const sequence = (draft: PlanDraft): Sequence => sequenceShape(shapeOf(draft));

export function sequenceShape(shape: Shape) {
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
    /** Tasks that may run together; what waits for itself comes last. */
    waves: waves.map((wave) => [...wave].sort(byRank).map(name)),
    criticalPath: critical.path.filter(isTask).map(name),
    /** Of the critical path; a task without an estimate counts one. */
    hours: critical.hours,
    totalHours: all.reduce((sum, nr) => sum + hoursOf(shape, nr), 0),
    /** Dependencies that keep two tasks apart; they only delay. */
    added: overlaps
      .filter(({ orderable }) => orderable)
      .map(({ later, earlier, paths }) => ({
        task: name(later),
        on: name(earlier),
        why: `both touch ${firstOf(paths, 3)}`,
      })),
    /** Pairs that no edge can order, because each feature would wait for the other's landing. */
    unordered: apart.map(({ earlier, later, paths }) => ({ tasks: [name(earlier), name(later)], paths })),
    steelThread: order.filter(isSteel).map(name),
    /** All tasks, each after what it waits for, the steel thread as early as can be. */
    order: order.map(name),
    cyclic: cyclic.map(name),
  };
}

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

interface FileOverlap {
  readonly earlier: number;
  readonly later: number;
  readonly paths: readonly string[];
  /** False if an edge would close a circle of landings, or cannot name them: then they only must not run together. */
  readonly orderable: boolean;
}

/** `src/auth/`, `src/auth/*` and `src/auth/**` stand for everything below. */
const folderOf = (path: string): string | undefined => /^(.*\/)\*{0,2}$/.exec(path)?.[1];

const foldersAbove = (path: string): string[] => {
  const found: string[] = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) found.push(path.slice(0, at + 1));
  return found;
};

/** Who touched a place last, and what was touched below it since. */
interface Touch {
  last: number | undefined;
  below: number[];
}

class TouchedPaths {
  readonly #places = new Map<string, Touch>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) this.#places.set(folderOf(path) ?? path, { last: undefined, below: [] });
  }

  /** The tasks that have to come before, replaced by this task from now on. */
  touch(path: string, nr: number): number[] {
    const folder = folderOf(path);
    const place = this.#places.get(folder ?? path) as Touch;
    const before = [...(place.last === undefined ? [] : [place.last]), ...place.below];
    place.last = nr;
    place.below = [];
    for (const name of foldersAbove(folder?.slice(0, -1) ?? path)) {
      const around = this.#places.get(name);
      if (!around) continue;
      if (around.last !== undefined) before.push(around.last);
      around.below.push(nr);
    }
    return before.filter((other) => other !== nr);
  }
}

/** Tasks that touch the same files although nothing says which comes first. Each finds only its nearest neighbours before it: an order
 *  between neighbours is an order between all.
 *  `sorted`: every number that has an order, each after what it waits for; one feature after the other, as far as
 *  that can be, so that an edge into a feature can wait for its landing. */
function findOverlaps(shape: Shape, sorted: readonly number[]): FileOverlap[] {
  const worked = sorted.filter((nr) => nr < shape.tasks && taskOf(shape, nr).kind === "work");
  const touched = new Map(worked.map((nr) => [nr, pathsOf(shape, nr)]));
  const ground = new TouchedPaths([...touched.values()].flat());
  const ancestors = new Ancestors(contested(touched));
  const found: FileOverlap[] = [];
  const places = new Map<number, number>();
  for (const nr of sorted) {
    for (const other of shape.waits[nr] ?? []) ancestors.follow(nr, other);
    places.set(nr, places.size);
    const own = touched.get(nr);
    if (own === undefined) continue;
    const before = new Map<number, string[]>();
    for (const path of own) for (const other of ground.touch(path, nr)) append(before, other, path);
    // The latest first: it may come after the others already.
    const latest = [...before].sort(([a], [b]) => (places.get(b) as number) - (places.get(a) as number));
    for (const [earlier, paths] of latest) {
      if (ancestors.has(nr, earlier)) continue;
      const land = shape.mustLand(nr, earlier) ? (shape.groups[earlier] as number) : undefined;
      const named = isNamed(shape, nr) && isNamed(shape, earlier);
      const orderable = named && (land === undefined || places.has(land));
      if (orderable) ancestors.follow(nr, earlier);
      if (orderable && land !== undefined) ancestors.follow(nr, land);
      found.push({ earlier, later: nr, paths: [...new Set(paths)], orderable });
    }
  }
  return found;
}

/** An edge can name only the first of two tasks with one id. */
const isNamed = ({ numbers, ids }: Shape, nr: number): boolean => numbers.get(idKey(ids[nr] as string)) === nr;

const pathsOf = (shape: Shape, nr: number): string[] => [
  ...new Set(taskOf(shape, nr).files.map(({ path }) => path.replace(/^(\.\/)+/, ""))),
];

/** Tasks with a file that another has too; with whole folders in play, all of them. */
function contested(touched: ReadonlyMap<number, readonly string[]>): number[] {
  const uses = new Map<string, number>();
  let folders = false;
  for (const paths of touched.values()) {
    for (const path of paths) {
      folders ||= folderOf(path) !== undefined;
      uses.set(path, (uses.get(path) ?? 0) + 1);
    }
  }
  const isShared = (path: string): boolean => (uses.get(path) ?? 0) > 1;
  return [...touched].filter(([, paths]) => folders || paths.some(isShared)).map(([nr]) => nr);
}

/** Who comes before whom, for many questions at once: a bit for each task that anybody asks about. */
class Ancestors {
  readonly #before = new Map<number, bigint>();
  readonly #bits: ReadonlyMap<number, bigint>;

  /** `asked`: only these are remembered as coming before something. */
  constructor(asked: readonly number[]) {
    this.#bits = new Map(asked.map((nr, at) => [nr, 1n << BigInt(at)]));
  }

  /** From now on `nr` comes after `other` and after everything that `other` comes after by now. */
  follow(nr: number, other: number): void {
    const own = this.#bits.get(other) ?? 0n;
    this.#before.set(nr, (this.#before.get(nr) ?? 0n) | (this.#before.get(other) ?? 0n) | own);
  }

  has(nr: number, other: number): boolean {
    return ((this.#before.get(nr) ?? 0n) & (this.#bits.get(other) ?? 0n)) !== 0n;
  }
}
