// The status of every node. Tasks that are alike in everything that decides it are judged once: 100,000 tasks have a few dozen sorts.

import { overlapsOf } from "../../model/conflict/conflict.js";
import { couldMeet } from "../../model/conflict/overlap.js";
import type { Nr } from "../../model/node/node.js";
import { countsForLanding } from "../../model/status/rollup.js";
import { type DerivedStatus, deriveStatus } from "../../model/status/status.js";
import type { Reader, Store } from "../../store/store.js";
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

export const standings = (store: Store, reader: Reader): Promise<ReadonlyMap<Nr, NodeStanding>> =>
  perOperation(store, reader, "standings", () => judgeAll(reader));

async function judgeAll(reader: Reader): Promise<ReadonlyMap<Nr, NodeStanding>> {
  const found = new Map<Nr, NodeStanding>();
  const sorts = await reader.sorts();
  for (const [task, first] of sorts) {
    const known = found.get(first) ?? (await judge(reader, first));
    found.set(first, known);
    found.set(task, known);
  }
  for (const { nr, tier } of await reader.listings({})) if (tier !== "task") found.set(nr, await judge(reader, nr));
  for (const nr of await tasksThatOverlap(reader)) found.set(nr, OVERLAPS);
  return found;
}

const OVERLAPS: NodeStanding = { status: "blocked", reason: "conflict" };

async function judge(reader: Reader, nr: Nr): Promise<NodeStanding> {
  const node = await reader.node(nr);
  if (!node) throw new Error(`Row ${nr} is gone in the middle of a read.`);
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
