// The view of one node or item.

import type { ShownItem } from "../../../../actions/item/show-item.js";
import type { ShownNodeOrItem } from "../../../../app/operations/node/show.js";
import { step } from "../../../../app/vocabulary.js";
import { renderNode } from "../../text/render-node.js";
import type { ViewOf } from "../../view.js";

const HELD_UP: ReadonlySet<string> = new Set(["planned", "blocked", "rejected", "frozen"]);

/** Items are shown rarely, so what renders them is loaded then. */
const items = () => import("../../text/render-item.js");

const itemOf = (shown: Extract<ShownNodeOrItem, { entity: string }>): ShownItem =>
  ({ entity: shown.entity, item: shown }) as ShownItem;

const show: ViewOf<"show"> = {
  text: async (shown, style) =>
    "entity" in shown ? (await items()).renderItem(itemOf(shown), style) : renderNode(shown, style),
  next: async (shown) => {
    if ("entity" in shown) return (await items()).stepsForItem(itemOf(shown));
    return HELD_UP.has(shown.status) ? [step("why", { reference: shown.id })] : [];
  },
};

export const showViews = { show };
