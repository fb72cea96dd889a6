// The critical path: the chain of waiting that takes longest. However many work on the plan, it cannot
// be finished sooner.

import type { Nr } from "../node/node.js";
import type { Order } from "./order.js";

export interface CriticalPath {
  /** First to last. */
  readonly path: readonly Nr[];
  readonly hours: number;
}

/** Only chains that end in something that `counts`; what has no order is left out. */
export function computeCriticalPath(
  order: Order<Nr>,
  hoursOf: (nr: Nr) => number,
  counts: (nr: Nr) => boolean,
): CriticalPath {
  const ready = new Map<Nr, number>();
  const before = new Map<Nr, Nr>();
  let last: Nr | undefined;
  for (const nr of order.sorted) {
    let start = 0;
    for (const other of order.waits.get(nr) as readonly Nr[]) {
      const end = ready.get(other) as number;
      if (end <= start) continue;
      start = end;
      before.set(nr, other);
    }
    const end = start + hoursOf(nr);
    ready.set(nr, end);
    if (counts(nr) && (last === undefined || end > (ready.get(last) as number))) last = nr;
  }
  if (last === undefined) return { path: [], hours: 0 };
  const path: Nr[] = [];
  for (let at: Nr | undefined = last; at !== undefined; at = before.get(at)) path.push(at);
  return { path: path.reverse(), hours: ready.get(last) as number };
}
