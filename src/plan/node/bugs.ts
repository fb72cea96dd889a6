// A bug is a feature of its own, so that its fix lands although other bugs are open. BUGS holds these features; in plans of earlier
// versions, where BUGS is a feature itself, they stand beside it.

import type { Node } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";

/** A bug, and the feature that was made around it. */
export type Bug = Readonly<Record<"id" | "feature", string>>;

/** What is larger has features already. */
export const isBug = ({ tier }: Pick<Node, "tier">): boolean => tier === "task" || tier === "story";

/** A bug in the plan that goes into BUGS, and has no feature of its own there yet. */
export async function needsOwnFeature(
  reader: Reader,
  { parent, feature: nr, title }: Node,
  bugs: Node,
): Promise<boolean> {
  if (parent === bugs.nr) return bugs.tier === "initiative";
  const feature = nr === null ? undefined : await reader.node(nr);
  const isBeside = bugs.tier === "feature" && feature?.parent === bugs.parent && feature.title === title;
  return feature?.parent !== bugs.nr && !isBeside;
}

/** Where the feature of a bug goes. */
export const homeOfBugs = async (reader: Reader, bugs: Node): Promise<Node> =>
  (bugs.tier === "feature" && bugs.parent !== null && (await reader.node(bugs.parent))) || bugs;
