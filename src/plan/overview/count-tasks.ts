// Tasks by status, without reading each of them.

import type { Nr } from "../../model/node/node.js";
import { countsForLanding } from "../../model/status/rollup.js";
import { type DerivedStatus, deriveStatus } from "../../model/status/status.js";
import type { Reader } from "../../store/store.js";
import { tasksThatOverlap } from "./standings.js";

export interface CountedTasks extends Pick<DerivedStatus, "status" | "reason"> {
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
