import type { ShownItem } from "../../actions/item/show-item.js";
import type { ShownNode } from "../../actions/node/show.js";
import type { Flat, Planned, Signed } from "./show.js";

/** A node with where it comes from, or an item with what kind of item it is. */
export type ShownNodeOrItem = (ShownNode & Planned & Signed) | Flat<ShownItem>;
