// Every feature in which something runs has one open land task. The store mints it (with the feature,
// and again when work is added after a landing), so nobody can forget it.

import type { Birth, Node } from "./node.js";

/** `earlier` landings of the same feature number the next one. */
export function landTask(
  feature: Pick<Node, "nr" | "id" | "title">,
  earlier: number,
  origin: Pick<Birth, "uuid" | "createdAt" | "createdBy">,
): Birth {
  return {
    ...origin,
    tier: "task",
    kind: "land",
    title: `Land: ${feature.title}`.slice(0, 500),
    parent: feature.nr,
    id: earlier === 0 ? `${feature.id}-LAND` : `${feature.id}-LAND-${earlier + 1}`,
  };
}

/** May this feature hold running work at all? */
export const landsWork = (feature: Pick<Node, "inbox" | "outcome" | "archive">): boolean =>
  !feature.inbox && feature.outcome === null && feature.archive === null;
