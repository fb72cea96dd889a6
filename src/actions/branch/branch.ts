// A branch as it is at the moment, and how it is put into words.

import type { Branch } from "../../graph/node/branch.js";
import type { Node } from "../../graph/node/node.js";
import type { Reader } from "../../store/store.js";

export const branchOf = async (reader: Reader, root: Node): Promise<Branch> => [
  root,
  ...(await reader.descendants(root.nr)),
];

export const idsOf = (nodes: readonly Node[]): string[] => nodes.map((node) => node.id);

/** A claim that a decision about the task has ended: its worker should hear of it. */
export interface EndedClaim {
  readonly id: string;
  readonly by: string;
}

export const claimsOn = (nodes: readonly Node[]): EndedClaim[] =>
  nodes.flatMap(({ id, claim }) => (claim ? [{ id, by: claim.by }] : []));

/** A few ids, and how many more there are. */
export const summary = (ids: readonly string[]): string =>
  ids.length <= 5 ? ids.join(", ") : `${ids.slice(0, 4).join(", ")} and ${ids.length - 4} more`;

/** `: because of this`, if a reason was given. */
export const colon = (reason: string | null | undefined): string =>
  reason === null || reason === undefined ? "" : `: ${reason}`;
