import type { Flat, Planned, Signed } from "./show.js";
import type { ShownNode } from "./show-action.js";
import type { ShownItem } from "./show-item.js";

/** A node with where it comes from, or an item with what kind of item it is. */
export type ShownNodeOrItem = (ShownNode & Planned & Signed) | Flat<ShownItem>;
