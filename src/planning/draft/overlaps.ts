// Tasks that touch the same files although nothing says which comes first. Each finds only its nearest neighbours
// before it: an order between neighbours is an order between all.

import { idKey } from "../../model/node/ids.js";
import { Ancestors } from "./ancestors.js";
import { type Shape, taskOf } from "./shape.js";

export interface FileOverlap {
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
interface Trace {
  last: number | undefined;
  below: number[];
}

class Ground {
  readonly #places = new Map<string, Trace>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) this.#places.set(folderOf(path) ?? path, { last: undefined, below: [] });
  }

  /** The tasks that have to come before, replaced by this task from now on. */
  touch(path: string, nr: number): number[] {
    const folder = folderOf(path);
    const place = this.#places.get(folder ?? path) as Trace;
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

/** `sorted`: every number that has an order, each after what it waits for; one feature after the other, as far as
 *  that can be, so that an edge into a feature can wait for its landing. */
export function findOverlaps(shape: Shape, sorted: readonly number[]): FileOverlap[] {
  const worked = sorted.filter((nr) => nr < shape.tasks && taskOf(shape, nr).kind === "work");
  const touched = new Map(worked.map((nr) => [nr, pathsOf(shape, nr)]));
  const ground = new Ground([...touched.values()].flat());
  const ancestors = new Ancestors(shape.ids.length, contested(touched));
  const found: FileOverlap[] = [];
  const places = new Map<number, number>();
  for (const nr of sorted) {
    for (const other of shape.waits[nr] ?? []) ancestors.follow(nr, other);
    places.set(nr, places.size);
    const own = touched.get(nr);
    if (own === undefined) continue;
    const before = new Map<number, string[]>();
    for (const path of own) {
      for (const other of ground.touch(path, nr)) before.set(other, [...(before.get(other) ?? []), path]);
    }
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

/** Of two tasks with one id, an edge can name only the first. */
const isNamed = ({ numbers, ids }: Shape, nr: number): boolean => numbers.get(idKey(ids[nr] as string)) === nr;

const pathsOf = (shape: Shape, nr: number): string[] => {
  const paths = taskOf(shape, nr).files.map(({ path }) =>
    path.startsWith("./") ? path.replace(/^(\.\/)+/, "") : path,
  );
  return paths.length < 2 ? paths : [...new Set(paths)];
};

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
