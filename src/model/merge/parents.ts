// What nodes are in, where clones removed and moved them without knowing of each other.

import { mayContain, tierRank } from "../node/node.js";
import { type MergedNode, type MergedNodes, parentUuid, tierOf, withFields } from "./merged-node.js";
import type { Write } from "./rules.js";

/** What a person removed stays if another person put something into it that they did not know. */
export function keepParents(nodes: MergedNodes): void {
  const waiting = [...nodes.values()].filter(({ isThere }) => isThere);
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const parent = nodes.get(parentUuid(node) ?? "");
    if (!parent || parent.isThere) continue;
    const kept = { ...parent, isThere: true };
    nodes.set(parent.uuid, kept);
    waiting.push(kept);
  }
}

/** Each node is in something of a higher tier. What never was in such a thing is left out: no program of ours writes that. */
export function soundParents(nodes: MergedNodes): void {
  const fromTheTop = [...nodes.values()].sort((a, b) => tierRank(tierOf(a)) - tierRank(tierOf(b)));
  for (const node of fromTheTop) {
    if (!node.isThere || node.birth === null || isSound(nodes, node, parentUuid(node))) continue;
    const earlier = (node.writes.get("parent") ?? NONE).findLast(({ is }) => isSound(nodes, node, is));
    nodes.set(node.uuid, earlier ? withFields(node, { parent: earlier.is }) : { ...node, isThere: false });
  }
}

const NONE: readonly Write[] = [];

function isSound(nodes: MergedNodes, node: MergedNode, uuid: unknown): boolean {
  if (uuid === null) return tierOf(node) === "mission";
  const parent = nodes.get(uuid as string);
  if (!parent?.isThere || parent.birth === null) return false;
  return tierOf(node) !== "mission" && mayContain(tierOf(parent), tierOf(node));
}
