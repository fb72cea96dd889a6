// Whether an approval still covers the content. What the hash covers: `node/content-hash.ts`.

import type { Node } from "../node/node.js";

/** It was approved, but with a secret that this plan does not know. */
export const isUnconfirmed = ({ approval }: Pick<Node, "approval">): boolean => approval?.hash === "";

/** The content changed after a person approved it. */
export const isStale = (node: Pick<Node, "approval" | "hash">): boolean =>
  node.approval !== null && node.approval.hash !== node.hash;

/** The text of these says what all of it is for. A change of it waits until a person approves it, and the work goes on with the old text. */
export const isFrame = ({ tier }: Pick<Node, "tier">): boolean => tier === "mission" || tier === "initiative";

/** Nothing in it runs before a person approves the change. */
export const isStaleScope = (node: Pick<Node, "approval" | "hash" | "tier">): boolean =>
  !isFrame(node) && isStale(node);
