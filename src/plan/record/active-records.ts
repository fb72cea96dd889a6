// The records that hold for a feature: its own and the workspace's. They go into prompts and bundles.

import type { Item } from "../../model/item/item.js";
import type { Nr } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";

export async function activeRecords(reader: Reader, feature: Nr | null): Promise<Item<"record">[]> {
  const shared = await reader.items("record", { owner: "", state: "active" });
  if (feature === null) return shared;
  return [...shared, ...(await reader.items("record", { owner: String(feature), state: "active" }))];
}
