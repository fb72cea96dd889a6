// The land task of a feature has the feature's title, and follows it.

import type { Node } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { landTitle } from "../../model/rules/land.js";
import { isApproved } from "../../model/status/status.js";
import type { Reader } from "../../store/store.js";
import { hashOf } from "./approve.js";

/** The new title changes nothing about what will be done, so the approval of the land task stays valid. */
export async function retitleLand(reader: Reader, feature: Node, title: string | undefined): Promise<Change[]> {
  if (feature.tier !== "feature" || title === undefined || title === feature.title) return [];
  const changes: Change[] = [];
  for (const land of await reader.children(feature.nr)) {
    if (land.kind !== "land" || land.outcome !== null || land.archive !== null) continue;
    const patch = { title: landTitle(title) };
    const approval = isApproved(land) && land.approval;
    changes.push(
      ...changeNode(land, {
        ...patch,
        ...(approval ? { approval: { ...approval, hash: await hashOf(reader, { ...land, ...patch }) } } : {}),
      }),
    );
  }
  return changes;
}
