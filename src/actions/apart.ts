// Of the tasks that may be claimed, those that keep out of the way of what is in flight and of each other: two workers on
// one file would only find out when they merge.

import { isClear } from "../graph/conflict.js";
import type { Node } from "../graph/node.js";
import type { InFlight } from "../store/store.js";

export function apart(ready: readonly Node[], inFlight: readonly InFlight[], limit: number): Node[] {
  const chosen: Node[] = [];
  for (const node of ready) {
    if (chosen.length === limit) break;
    if (isClear(node, inFlight) && isClear(node, chosen)) chosen.push(node);
  }
  return chosen;
}
