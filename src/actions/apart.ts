// Of the tasks that may be claimed, those that keep out of the way of what is in flight and of each other: two workers on
// one file would only find out when they merge.

import { clashesWith } from "../graph/conflict.js";
import type { Node } from "../graph/node.js";

export function apart(ready: readonly Node[], inFlight: readonly Node[], limit: number): Node[] {
  const chosen: Node[] = [];
  for (const node of ready) {
    if (chosen.length === limit) break;
    if (clashesWith(node, [...inFlight, ...chosen]).length === 0) chosen.push(node);
  }
  return chosen;
}
