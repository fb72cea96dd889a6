// Does a change make an approval stale?

import type { Node, NodeFields } from "../../model/node/node.js";
import { isApproved } from "../../model/status/status.js";
import { hashOf } from "../../plan/node/approve.js";
import type { Reader } from "../../store/store.js";

/** True if it was approved as it is and would not be any more. */
export async function goesStale(reader: Reader, node: Node, patch: Partial<NodeFields>): Promise<boolean> {
  return isApproved(node) && (await hashOf(reader, { ...node, ...patch })) !== node.approval?.hash;
}
