// Every feature in which something runs has one open land task. The store mints it (with the feature,
// and again when work is added after a landing), so it cannot be forgotten.

import { type Birth, type Node, TITLE_LIMIT } from "../node/node.js";
import { derivedUuid } from "../node/uuid5.js";

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

/** The same in every clone of a plan, so that clones do not make two of one. */
export const landUuid = (feature: string, earlier: number): string => derivedUuid("land", feature, String(earlier));

export const landId = (feature: string, earlier = 0): string =>
  `${feature.slice(0, ID_LIMIT)}-LAND${earlier === 0 ? "" : `-${earlier + 1}`}`;

export const landTitle = (title: string): string => cutTitle(`Land: ${title}`);

export const mayNameLand = (id: string): boolean => /-LAND(-\d+)?$/i.test(id);

/** Never through the middle of a character. */
export const cutTitle = (text: string): string => text.slice(0, TITLE_LIMIT).replace(/[\ud800-\udbff]$/, "");

export const landsWork = (feature: Pick<Node, "inbox" | "outcome" | "archive">): boolean =>
  !feature.inbox && feature.outcome === null && feature.archive === null;
