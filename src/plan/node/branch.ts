// The branches that a decision is about, and how they are put into words.

import { type Node, type Nr, tierRank } from "../../model/node/node.js";
import { changeNode, type NodeChange } from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import type { Branch } from "../../model/status/rollup.js";
import type { Reader } from "../../store/store.js";
import type { FocusOwner } from "../base/focus.js";
import { resolveAll } from "../base/resolve.js";

export interface Named {
  readonly references: readonly string[];
}

export const branchOf = async (reader: Reader, root: Node): Promise<Branch> => [
  root,
  ...(await reader.descendants(root.nr)),
];

/** The branches of these nodes, from the top; a node inside another of them goes with that one. */
export async function branchesOf(reader: Reader, { references }: Named, asker: FocusOwner): Promise<Result<Branch[]>> {
  const roots = await resolveAll(reader, references, asker);
  if (!roots.ok) return roots;
  const branches: Branch[] = [];
  const inside = new Set<Nr>();
  for (const root of roots.value.sort((a, b) => tierRank(a.tier) - tierRank(b.tier))) {
    if (inside.has(root.nr)) continue;
    const branch = await branchOf(reader, root);
    for (const { nr } of branch) inside.add(nr);
    branches.push(branch);
  }
  return ok(branches);
}

/** What a rule takes of each branch, or the first refusal. */
export function fromEach(branches: readonly Branch[], rule: (branch: Branch) => Result<Node[]>): Result<Node[]> {
  const taken: Node[] = [];
  for (const branch of branches) {
    const nodes = rule(branch);
    if (!nodes.ok) return nodes;
    taken.push(...nodes.value);
  }
  return ok(taken);
}

export const idsOf = (nodes: readonly Node[]): string[] => nodes.map((node) => node.id);

/** A claim that a decision about its task has ended. */
export type EndedClaim = ReturnType<typeof claimsOn>[number];

export const claimsOn = (nodes: readonly Node[]) =>
  nodes.flatMap(({ id, claim }) => (claim ? [{ id, by: claim.by }] : []));

/** A few ids, and how many more there are. */
export const summary = (ids: readonly string[]): string =>
  ids.length <= 5 ? ids.join(", ") : `${ids.slice(0, 4).join(", ")} and ${ids.length - 4} more`;

/** `: because of this`, if a reason was given. */
export const colon = (reason: string | null | undefined): string => (reason == null ? "" : `: ${reason}`);

/** Ends nodes, and lets those that were to be planned again wait no longer. */
export const endNodes = (
  ended: readonly Node[],
  patch: Parameters<typeof changeNode>[1],
  notPlanned: readonly Node[],
): NodeChange[] => [
  ...ended.flatMap((node) => changeNode(node, patch)),
  ...notPlanned.flatMap((node) => changeNode(node, { awaitsPlan: null })),
];
