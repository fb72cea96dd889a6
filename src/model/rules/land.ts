// Every feature in which something runs has one open land task. The store mints it (with the feature,
// and again when work is added after a landing), so it cannot be forgotten.

import { type Birth, type Node, TITLE_LIMIT } from "../node/node.js";

/** A feature's id may fill the whole 64 characters that an id has. */
const ID_LIMIT = 50;

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
    title: landTitle(feature.title),
    parent: feature.nr,
    id: landId(feature.id, earlier),
  };
}

/** The name of a feature's land task, after so many earlier landings. */
export const landId = (feature: string, earlier = 0): string =>
  `${feature.slice(0, ID_LIMIT)}-LAND${earlier === 0 ? "" : `-${earlier + 1}`}`;

export const landTitle = (title: string): string => cut(`Land: ${title}`, TITLE_LIMIT);

/** Could a land task have this id? */
export const mayNameLand = (id: string): boolean => /-LAND(-\d+)?$/i.test(id);

/** Never through the middle of a character. */
const cut = (text: string, limit: number): string => text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");

/** May this feature hold running work at all? */
export const landsWork = (feature: Pick<Node, "inbox" | "outcome" | "archive">): boolean =>
  !feature.inbox && feature.outcome === null && feature.archive === null;
