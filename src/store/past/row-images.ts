// What rows were at another moment, from the changes between there and here. Going back, the earliest "before" of a field counts;
// going forward, the latest "after". So the changes are read from the far end, and what is seen first counts.

import type { Row } from "../database.js";
import { textOf, textOrNull } from "../rows/values.js";

export interface RowImage {
  /** Fields that differ there; null if the row was not there. */
  fields: Record<string, unknown> | null;
  /** These are all its fields: it has to be written again, and what is left out is blank. */
  isWhole: boolean;
}

export type RowImages = Map<string, RowImage>;

export type Direction = "back" | "forward";

/** `rows` of the log, from the far end: going back the oldest first, going forward the newest first. */
export function addImages(images: Map<string, RowImages>, rows: Iterable<Row>, direction: Direction): void {
  const [there, here] = direction === "back" ? (["before", "after"] as const) : (["after", "before"] as const);
  for (const row of rows) {
    const [entity, key] = [textOf(row["entity"]), textOf(row["key"])];
    let ofEntity = images.get(entity);
    if (!ofEntity) images.set(entity, (ofEntity = new Map()));
    const known = ofEntity.get(key);
    // Nothing on the near side of a row's beginning or end is about the row that was there.
    if (known && (known.isWhole || known.fields === null)) continue;
    const text = textOrNull(row[there]);
    const image = text === null ? null : (JSON.parse(text) as Record<string, unknown>);
    const isWhole = textOrNull(row[here]) === null;
    if (!known) ofEntity.set(key, { fields: image, isWhole });
    else {
      known.fields = { ...image, ...known.fields };
      known.isWhole = isWhole;
    }
  }
}
