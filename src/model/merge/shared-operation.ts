// An operation as clones of a repository tell each other about it: nodes by UUID, and what the clone that made it had seen by then.

import type { Actor } from "../actor.js";
import type { Entity } from "../item/item.js";

export type Image = Readonly<Record<string, unknown>>;

/** What an operation did to one node or item: null for what was not there. Of a changed one only the fields that differ. */
export interface SharedChange {
  readonly entity: "node" | Entity;
  /** Of a node its UUID; of an item where it was made and its key there. */
  readonly id: string;
  readonly was: Image | null;
  readonly is: Image | null;
}

/** How far a clone knows the others: by clone, the last of its operations. */
export type Seen = Readonly<Record<string, number>>;

export interface SharedOperation {
  readonly clone: string;
  /** Its number in that clone. */
  readonly seq: number;
  /** Later than that of every operation that the clone had seen, even if its clock is wrong. */
  readonly time: number;
  readonly seen: Seen;
  readonly at: number;
  readonly by: Actor;
  readonly verb: string;
  readonly sentence: string;
  readonly changes: readonly SharedChange[];
}

export type Stamp = Pick<SharedOperation, "clone" | "seq" | "time" | "seen">;

/** The time of the next operation of a clone: its own clock, unless that is behind what the clone has seen. */
export const timeAfter = (clock: number, latest: number): number => Math.max(clock, latest + 1);

export const byName = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** The same order in every clone. Nothing comes before what it had seen. */
export const byTime = (one: Stamp, other: Stamp): number =>
  one.time - other.time || byName(one.clone, other.clone) || one.seq - other.seq;

/** Whether whoever made the later operation knew the earlier one. */
export const saw = (later: Stamp, earlier: Stamp): boolean =>
  later.clone === earlier.clone ? later.seq > earlier.seq : (later.seen[earlier.clone] ?? 0) >= earlier.seq;

export const areConcurrent = (one: Stamp, other: Stamp): boolean =>
  one !== other && !saw(one, other) && !saw(other, one);

/** Each operation once, in order, without those that were made knowing something that is not here yet. */
export function readyOperations(operations: Iterable<SharedOperation>): {
  readonly ready: readonly SharedOperation[];
  /** The clones that are missing, and up to which operation. */
  readonly missing: Seen;
} {
  const ready: SharedOperation[] = [];
  const missing: Record<string, number> = {};
  /** By clone, the last operation that is ready. An operation that waits holds up the rest of its clone. */
  const known: Record<string, number> = {};
  const held = new Set<string>();
  for (const operation of [...operations].sort(byTime)) {
    const { clone, seq, seen } = operation;
    if (seq <= (known[clone] ?? 0)) continue;
    const lacks = Object.entries(seen).filter(([other, last]) => other !== clone && last > (known[other] ?? 0));
    for (const [other, last] of lacks) missing[other] = Math.max(last, missing[other] ?? 0);
    if (lacks.length > 0) held.add(clone);
    if (held.has(clone)) continue;
    known[clone] = seq;
    ready.push(operation);
  }
  return { ready, missing };
}
