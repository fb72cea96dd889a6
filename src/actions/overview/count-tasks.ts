// Tasks by status, without reading each of them.

import { overlapsOf } from "../../graph/conflict/conflict.js";
import { couldMeet } from "../../graph/conflict/overlap.js";
import type { Nr } from "../../graph/node/node.js";
import { type DerivedStatus, deriveStatus } from "../../graph/status/status.js";
import type { Reader } from "../../store/store.js";
import { occupiedNow } from "../holds/gather-surroundings.js";

export interface CountedTasks extends Pick<DerivedStatus, "status" | "reason"> {
  readonly tasks: number;
}

/** Below a node, or in the whole plan. The same status may come several times: add them up. */
export async function countTasks(reader: Reader, within?: Nr): Promise<CountedTasks[]> {
  const counted: CountedTasks[] = [];
  for (const { task, tasks } of await reader.census(within)) {
    const { status, reason } = deriveStatus(task, await reader.surroundings(task));
    counted.push({ status, reason, tasks });
  }
  // Tasks are grouped by their own facts, and an overlap is none of them.
  const overlapping = await countOverlapping(reader, within);
  return [
    ...counted,
    { status: "ready", reason: "claimable", tasks: -overlapping },
    { status: "blocked", reason: "conflict", tasks: overlapping },
  ];
}

async function countOverlapping(reader: Reader, within: Nr | undefined): Promise<number> {
  const occupied = await occupiedNow(reader);
  if (occupied.length === 0) return 0;
  const mayMeet = couldMeet(occupied.map(({ ground }) => ground));
  const ready = await reader.readyFootprints(within);
  return ready.filter((task) => mayMeet(task) && overlapsOf(task, occupied).length > 0).length;
}
