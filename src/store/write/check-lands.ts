// A feature with open work has exactly one open land task (I-LAND).

import type { Node, Nr } from "../../model/node/node.js";
import { type Violation, violation } from "../../model/operation/invariants.js";
import { landsWork } from "../../model/rules/land.js";
import { numberOf } from "../rows/values.js";
import type { PendingRow, PendingRows } from "./pending-rows.js";

const isOpenLand = (node: Node | null): node is Node => node !== null && node.kind === "land" && node.outcome === null;

const OPEN_LANDS = "select nr from node where parent = ? and kind = 'land' and outcome is null";

/** Land tasks that were added or opened again beside an open one. */
export async function secondLands(pendingRows: PendingRows, changed: readonly PendingRow[]): Promise<Violation[]> {
  const open = new Map<Nr | null, Node>();
  for (const { node, was, removed } of changed) {
    if (removed || !isOpenLand(node) || isOpenLand(was)) continue;
    const other = open.get(node.parent) ?? (await openLandOf(pendingRows, node.parent as Nr));
    if (other && other.nr !== node.nr) {
      return [violation("I-LAND", node.id, `${node.id} cannot be open: ${other.id} is the feature's open land task.`)];
    }
    open.set(node.parent, node);
  }
  return [];
}

async function openLandOf(pendingRows: PendingRows, feature: Nr): Promise<Node | undefined> {
  for (const row of await pendingRows.db.all(OPEN_LANDS, feature)) {
    const { node, removed } = await pendingRows.get(numberOf(row["nr"]));
    if (!removed && isOpenLand(node)) return node;
  }
  return undefined;
}

/** A feature that landed has nothing unfinished in it at all; a land task without work to land may also go. */
const isWhole = ({ tasksFinished, tasksLive, live, finished, awaitsPlan }: Node, hasLanded: boolean): boolean =>
  tasksFinished === tasksLive && (!hasLanded || (live === finished && awaitsPlan === null));

/** Land tasks that were settled while something in their feature is still open. */
export async function landsSettledTooEarly(
  pendingRows: PendingRows,
  changed: readonly PendingRow[],
): Promise<Violation[]> {
  for (const { node, was, removed } of changed) {
    if (!isOpenLand(was) || (!removed && isOpenLand(node))) continue;
    const feature = pendingRows.loaded(was.parent);
    if (!feature || feature.removed || !landsWork(feature.node)) continue;
    if (isWhole(feature.node, !removed && node.outcome?.kind === "done")) continue;
    if (await pendingRows.db.get(OPEN_LANDS, feature.node.nr)) continue;
    const message = `${node.id} stays open as long as something in ${feature.node.id} is.`;
    return [violation("I-LAND", node.id, message)];
  }
  return [];
}
