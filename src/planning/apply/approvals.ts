// What the approval of a run would approve that is not approved now: shown before a person decides.

import { idKey } from "../../model/node/ids.js";
import type { Node, Nr } from "../../model/node/node.js";
import { isStale } from "../../model/status/stale.js";
import { isApproved } from "../../model/status/status.js";
import type { Reader } from "../../store/store.js";
import { nodesOf, type PlanDraft, parentsIn } from "../contracts/plan-draft.js";
import type { Run } from "../driver/runs.js";
import type { Comparison } from "./compare.js";
import { isSettledNode } from "./scope.js";

/** Fields that an approval does not bind. */
const UNBOUND = new Set(["priority", "estimateHours"]);

const isOpen = (node: Node | undefined): node is Node => node !== undefined && !isSettledNode(node) && !node.shelved;

export async function newApprovals(
  reader: Reader,
  run: Run,
  draft: PlanDraft,
  { scope, diff: { added, changed } }: Comparison,
): Promise<string[]> {
  const own = new Map(scope.map((node) => [idKey(node.id), node]));
  const above = new Map(parentsIn(draft).map(([id, parent]) => [idKey(id), parent]));
  const fresh = new Set(added.map(({ id }) => idKey(id)));
  /** The nearest node of the plan that the draft puts it below. */
  const holderOf = async (id: string): Promise<Node | undefined> => {
    let parent = above.get(idKey(id));
    for (let hops = 0; parent !== undefined && fresh.has(idKey(parent)) && hops < 4; hops++)
      parent = above.get(idKey(parent));
    return parent === undefined ? undefined : (own.get(idKey(parent)) ?? (await reader.byId(parent)));
  };
  const found = new Map<string, string>();
  const features = new Map<Nr, Node>();
  const touch = async (node: Node | undefined): Promise<void> => {
    const nr = node?.tier === "feature" ? node.nr : node?.feature;
    const feature = nr === undefined || nr === null ? undefined : await reader.node(nr);
    if (isOpen(feature)) features.set(feature.nr, feature);
  };
  const root = run.machine.mode === "expand" ? scope.find(({ nr }) => nr === run.fields.node) : undefined;
  if (isOpen(root)) {
    if (!isApproved(root)) found.set(idKey(root.id), root.id);
    await touch(root);
  }
  const bound = new Set(
    changed.filter(({ fields }) => fields.some(({ field }) => !UNBOUND.has(field))).map(({ id }) => idKey(id)),
  );
  const touched = new Set(changed.map(({ id }) => idKey(id)));
  for (const { id } of nodesOf(draft)) {
    const node = own.get(idKey(id));
    if (!node) {
      const holder = await holderOf(id);
      if (holder?.shelved !== true) found.set(idKey(id), id);
      await touch(holder);
      continue;
    }
    if (!isOpen(node)) continue;
    const isChanged = touched.has(idKey(id));
    if (isChanged) await touch(node);
    const isDue = bound.has(idKey(id)) || (isChanged && !isApproved(node)) || isStale(node);
    if (isDue) found.set(idKey(id), node.id);
  }
  for (const feature of features.values()) {
    if (feature.approval === null && !found.has(idKey(feature.id))) continue;
    const children = await reader.children(feature.nr);
    const land = children.find((node) => node.kind === "land" && !isSettledNode(node));
    if (land && !isApproved(land)) found.set(idKey(land.id), land.id);
  }
  return [...found.values()];
}
