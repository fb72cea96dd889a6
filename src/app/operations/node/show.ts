// Shows one node or item. Agents call it in a loop, so it stands alone.

import type { ShownItem } from "../../../actions/item/show-item.js";
import { type ShownNode, show as showNode } from "../../../actions/node/show.js";
import { ok, type Result } from "../../../graph/result.js";
import type { FeatureSource } from "../../../planning/apply/source-of-feature.js";
import { operation } from "../../operation.js";
import { input, node } from "../../schema.js";

type Flat<S> = S extends ShownItem ? S["item"] & Pick<S, "entity"> : never;

/** A node (a feature with where it comes from), or an item with what kind of item it is. */
export type ShownNodeOrItem = (ShownNode & { readonly origin?: FeatureSource | null }) | Flat<ShownItem>;

const ITEM_KEY = /^([a-z]{3}|conflict)-\d+$/i;

const show = operation({
  name: "show",
  summary: "Show everything about a node or another item",
  description:
    "A node is named by its id in any case, the beginning of its UUID, or words of its title. If several match, they are listed and none is chosen. Records, questions, lessons, artifacts, planning runs, attempts and conflicts are named by their keys, such as DEC-001 or ATT-00001; an artifact is shown with its text.",
  who: "both",
  effect: "reads",
  input: () => input({ reference: node("the node, or the key of an item") }),
  examples: [
    { input: { reference: "TASK-00001" }, does: "shows its content, its status, and who decided what about it" },
    { input: { reference: "DEC-001" }, does: "shows a decision" },
  ],
  run: async (session, { reference }): Promise<Result<ShownNodeOrItem>> => {
    const found = await showNode(session, reference);
    if (found.ok && found.value.tier === "feature") {
      const { sourceOfFeature } = await import("../../../planning/apply/source-of-feature.js");
      const origin = await session.store.read((reader) => sourceOfFeature(reader, found.value.id));
      return ok({ ...found.value, origin });
    }
    if (found.ok || found.error.kind !== "absent" || !ITEM_KEY.test(reference)) return found;
    const { showItem } = await import("../../../actions/item/show-item.js");
    const shown = await showItem(session, reference);
    return shown.ok ? ok({ ...shown.value.item, entity: shown.value.entity } as Flat<ShownItem>) : found;
  },
});

export const showOperations = { show };
