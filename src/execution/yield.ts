// Two tasks that overlap never run together: whoever comes second waits for what is in its way.

import type { Actor } from "../graph/actor.js";
import type { Change } from "../graph/change.js";
import type { Node } from "../graph/node.js";
import { groundOf, groundsMeet } from "../graph/overlap.js";
import type { Writer } from "../store/store.js";

/** More than any number of programs works on at once. */
const IN_FLIGHT = 1_000;

export async function yieldToOthers(
  writer: Writer,
  task: Node,
  _: { readonly by: Actor; readonly at: number },
): Promise<Change[]> {
  const own = groundOf(task);
  for (const other of await writer.claimed({ limit: IN_FLIGHT })) {
    if (other.nr === task.nr) continue;
    const met = groundsMeet(own, groundOf(other));
    if (met !== null) return [];
  }
  return [];
}
