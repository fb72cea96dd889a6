// Of the tasks that may be claimed, those that keep out of the way of what is in flight and of each other: two workers on
// one file would only find out when they merge.

import { isClear, type Standing, standing } from "../../graph/conflict/conflict.js";
import type { Node } from "../../graph/node/node.js";
import type { InFlight } from "../../store/store.js";

/** From one claim of a worker to the next, what the others have in hand is mostly the same list. */
let latest: { readonly inFlight: readonly InFlight[]; readonly standing: readonly Standing[] } | undefined;

export function apart(ready: readonly Node[], inFlight: readonly InFlight[], limit: number): Node[] {
  if (latest?.inFlight !== inFlight) latest = { inFlight, standing: standing(inFlight) };
  const taken = [...latest.standing];
  const chosen: Node[] = [];
  for (const node of ready) {
    if (chosen.length === limit) break;
    if (!isClear(node, taken)) continue;
    chosen.push(node);
    if (chosen.length < limit) taken.push(...standing([node]));
  }
  return chosen;
}
