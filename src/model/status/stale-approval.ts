// Whether an approval still covers the content. What the hash covers: `node/content-hash.ts`.

import type { Node } from "../node/node.js";

/** It was approved, but with a secret that this plan does not know. */
export const isUnconfirmed = ({ approval }: Pick<Node, "approval">): boolean => approval?.hash === "";

/** The content changed after a person approved it. */
export const isStale = (node: Pick<Node, "approval" | "hash">): boolean =>
  node.approval !== null && node.approval.hash !== node.hash;
