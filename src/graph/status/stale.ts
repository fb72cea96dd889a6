// Whether an approval still covers the content.

import type { Node } from "../node/node.js";

/** The content changed after a person approved it. */
export const isStale = (node: Pick<Node, "approval" | "hash">): boolean =>
  node.approval !== null && node.approval.hash !== node.hash;
