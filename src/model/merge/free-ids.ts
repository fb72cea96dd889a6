// Two clones may give two nodes the same id. The older one keeps it, and the younger one gets the next that is free.

import { displayId, idKey, numberedAs } from "../node/ids.js";
import { landId } from "../rules/land.js";
import {
  idOf,
  kindOf,
  type MergedNode,
  type MergedNodes,
  parentUuid,
  presentNodes,
  withFields,
} from "./merged-node.js";

export interface Renamed {
  readonly uuid: string;
  readonly was: string;
  readonly id: string;
}

/** Room for what is put behind an id. */
const STEM_LIMIT = 56;

/** Returns the nodes that got another id than they were made with. */
export function freeIds(nodes: MergedNodes): readonly Renamed[] {
  const all = presentNodes(nodes);
  const taken = new Set(all.map((node) => idKey(idOf(node))));
  const kept = new Set<string>();
  const renamed: Renamed[] = [];
  // Land tasks last: they are called after their feature.
  for (const node of [...all.filter((each) => !isLand(each)), ...all.filter(isLand)]) {
    const was = idOf(node);
    if (!kept.has(idKey(was))) {
      kept.add(idKey(was));
      continue;
    }
    const id = freeId(node, nodes, taken);
    taken.add(idKey(id));
    kept.add(idKey(id));
    nodes.set(node.uuid, withFields(node, { id }));
    renamed.push({ uuid: node.uuid, was, id });
  }
  return renamed;
}

const isLand = (node: MergedNode): boolean => kindOf(node) === "land";

/** Always the nearest one, so that it stays the same when other nodes come. */
function freeId(node: MergedNode, nodes: MergedNodes, taken: ReadonlySet<string>): string {
  const was = idOf(node);
  const form = numberedAs(was);
  const feature = isLand(node) ? nodes.get(parentUuid(node) as string) : undefined;
  for (let i = 1; ; i++) {
    const named = form ? displayId(form.tier, form.number + i) : `${was.slice(0, STEM_LIMIT)}-${i + 1}`;
    const id = feature ? landId(idOf(feature), i - 1) : named;
    if (!taken.has(idKey(id))) return id;
  }
}
