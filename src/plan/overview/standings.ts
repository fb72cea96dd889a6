// The status of every node. Tasks that are alike in everything that decides it are judged once: 100,000 tasks have a few dozen sorts.

import { type Occupied, overlapsOf } from "../../model/conflict/conflict.js";
import { couldMeet } from "../../model/conflict/overlap.js";
import type { Node, Nr } from "../../model/node/node.js";
import { countsForLanding } from "../../model/status/rollup.js";
import { type DerivedStatus, deriveStatus, STATUSES, type Status } from "../../model/status/status.js";
import type { Reader, Store, TaskSort } from "../../store/store.js";
import { occupiedNow } from "../base/surroundings.js";

interface CountedTasks extends Pick<DerivedStatus, "status" | "reason"> {
  readonly tasks: number;
  /** Land tasks are part of no progress: see `progressOf`. */
  readonly lands: boolean;
}

/** Below a node, or in the whole plan. The same status may come several times: add them up. */
export async function countTasks(reader: Reader, within?: Nr): Promise<CountedTasks[]> {
  const counted: CountedTasks[] = [];
  for (const { task, tasks } of await reader.census(within)) {
    const { status, reason } = deriveStatus(task, await reader.surroundings(task));
    counted.push({ status, reason, tasks, lands: !countsForLanding(task) });
  }
  // Tasks are grouped by their own facts, and an overlap is none of them.
  const overlapping = (await tasksThatOverlap(reader, within)).length;
  return [
    ...counted,
    { status: "ready", reason: "claimable", tasks: -overlapping, lands: false },
    { status: "blocked", reason: "conflict", tasks: overlapping, lands: false },
  ];
}

/** We keep two values of a key: one of now, and one of the moment that you look at. */
const VALUES_OF_ONE_KEY = 2;
const VALUES_KEPT = 24;

export async function perOperation<T>(
  store: Store,
  reader: Reader,
  key: string,
  compute: () => Promise<T>,
): Promise<T> {
  const { kept } = store;
  const name = `${await reader.lastOperation()} ${key}`;
  const known = kept.get(name);
  if (known !== undefined) return known as Promise<T>;
  // It is kept only once it is there, so what fails is tried again.
  const value = await compute();
  const same = [...kept.keys()].filter((each) => each.slice(each.indexOf(" ") + 1) === key);
  for (const old of same.slice(0, Math.max(0, same.length - VALUES_OF_ONE_KEY + 1))) kept.delete(old);
  const [oldest] = kept.keys();
  if (kept.size >= VALUES_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(name, Promise.resolve(value));
  return value;
}

export type NodeStanding = Pick<DerivedStatus, "status" | "reason">;

/** Serves one look at the plan: of the nodes that it is asked for, it judges each sort of tasks once, and each container. */
export class Standings {
  readonly #reader: Reader;
  readonly #known = new Map<string, NodeStanding>();
  #occupied: readonly Occupied[] | undefined;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  async of(nodes: readonly Pick<Node, "nr" | "tier">[]): Promise<ReadonlyMap<Nr, NodeStanding>> {
    const found = new Map<Nr, NodeStanding>();
    const tasks = nodes.filter(({ tier }) => tier === "task").map(({ nr }) => nr);
    for (const [nr, sort] of await this.#reader.sorts(tasks)) {
      const standing = this.#known.get(sort) ?? (await judge(this.#reader, nr));
      this.#known.set(sort, standing);
      found.set(nr, standing);
    }
    for (const { nr, tier } of nodes) if (tier !== "task") found.set(nr, await judge(this.#reader, nr));
    await this.#markOverlaps(found);
    return found;
  }

  /**
   * The sorts of the tasks that may have one of these statuses. Undefined if looking at every node is as good: something around tasks
   * with such a status holds them back.
   */
  async sortsWith(statuses: readonly Status[]): Promise<string[] | undefined> {
    const wanted = new Set<Status>(statuses);
    // A ready task whose files are in use is blocked.
    if (wanted.has("blocked") && (await this.occupied()).length > 0) wanted.add("ready");
    const found: string[] = [];
    for (const each of await this.#reader.taskSorts()) {
      if (!(await this.#possible(each)).some((status) => wanted.has(status))) continue;
      if (each.besides === "around") return undefined;
      found.push(each.sort);
    }
    return found;
  }

  /** What is around it may have changed after its approval, or not; of an open land task it may be anything. */
  async #possible({ nr, besides }: TaskSort): Promise<readonly Status[]> {
    if (besides === "landing") return STATUSES;
    const node = await nodeAt(this.#reader, nr);
    const around = await this.#reader.surroundings(node);
    const each = besides === "nothing" ? [around] : [STALE, []].map((staleAbove) => ({ ...around, staleAbove }));
    return each.map((surroundings) => deriveStatus(node, surroundings).status);
  }

  async occupied(): Promise<readonly Occupied[]> {
    this.#occupied ??= await occupiedNow(this.#reader);
    return this.#occupied;
  }

  async #markOverlaps(found: Map<Nr, NodeStanding>): Promise<void> {
    const occupied = await this.occupied();
    if (occupied.length === 0) return;
    const ready = [...found].filter(([, { reason }]) => reason === "claimable").map(([nr]) => nr);
    for (const task of await this.#reader.footprints(ready)) {
      if (overlapsOf(task, occupied).length > 0) found.set(task.nr, OVERLAPS);
    }
  }
}

const STALE = [""];

const OVERLAPS: NodeStanding = { status: "blocked", reason: "conflict" };

async function nodeAt(reader: Reader, nr: Nr): Promise<Node> {
  const node = await reader.node(nr);
  if (!node) throw new Error(`Row ${nr} is gone in the middle of a read.`);
  return node;
}

async function judge(reader: Reader, nr: Nr): Promise<NodeStanding> {
  const node = await nodeAt(reader, nr);
  const { status, reason } = deriveStatus(node, await reader.surroundings(node));
  return { status, reason };
}

/** Tasks that could begin, were it not for work in progress on the same files. */
export async function tasksThatOverlap(reader: Reader, within?: Nr): Promise<Nr[]> {
  const occupied = await occupiedNow(reader);
  if (occupied.length === 0) return [];
  const mayMeet = couldMeet(occupied.map(({ ground }) => ground));
  const ready = await reader.readyFootprints(within);
  return ready.filter((task) => mayMeet(task) && overlapsOf(task, occupied).length > 0).map(({ nr }) => nr);
}
