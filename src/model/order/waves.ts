// Waves: tasks that may run together. A task is in the wave after the latest of what it waits for.

import type { Nr } from "../node/node.js";
import { knotOf, type Order } from "./order.js";

export interface Waves {
  /** What has no order, because it waits for a cycle, comes last. */
  readonly waves: readonly (readonly Nr[])[];
  /** The tasks that wait for themselves. */
  readonly cyclic: readonly Nr[];
}

/** `counts`: only these are listed; the others (containers, tasks elsewhere) still hold back what waits for them.
 *  `isTask`: what takes a wave of its own. */
export function computeWaves(order: Order<Nr>, isTask: (nr: Nr) => boolean, counts: (nr: Nr) => boolean): Waves {
  const wave = new Map<Nr, number>();
  const waves = new Map<number, Nr[]>();
  for (const nr of order.sorted) {
    let at = 0;
    for (const other of order.waits.get(nr) as readonly Nr[]) at = Math.max(at, wave.get(other) as number);
    if (isTask(nr)) at++;
    wave.set(nr, at);
    if (!isTask(nr) || !counts(nr)) continue;
    const members = waves.get(at);
    if (members) members.push(nr);
    else waves.set(at, [nr]);
  }
  const listed = [...waves].sort(([a], [b]) => a - b).map(([, members]) => members.sort((a, b) => a - b));
  const last = order.rest.filter((nr) => isTask(nr) && counts(nr)).sort((a, b) => a - b);
  const cyclic = knotOf(order).filter((nr) => isTask(nr) && counts(nr));
  return { waves: last.length > 0 ? [...listed, last] : listed, cyclic: cyclic.sort((a, b) => a - b) };
}
