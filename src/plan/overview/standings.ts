// The status of every node. Tasks that are alike in everything that decides it are judged once: 100,000 tasks have a few dozen sorts.

import { overlapsOf } from "../../model/conflict/conflict.js";
import { couldMeet } from "../../model/conflict/overlap.js";
import type { Nr } from "../../model/node/node.js";
import { type DerivedStatus, deriveStatus } from "../../model/status/status.js";
import type { Reader, Store } from "../../store/store.js";
import { occupiedNow } from "../holds/gather-surroundings.js";
import { perOperation } from "./per-operation.js";

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
