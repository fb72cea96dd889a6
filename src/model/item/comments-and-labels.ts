// What people and agents say about a node: comments, and the words that they sort nodes by. None of it is part of what an approval binds.

import type { Actor } from "../actor.js";
import type { Nr } from "../node/node.js";

export interface Comment {
  readonly state: "kept";
  readonly node: Nr;
  readonly text: string;
  readonly createdAt: number;
  readonly createdBy: Actor;
}

export interface Labels {
  readonly state: "set";
  readonly node: Nr;
  readonly labels: readonly string[];
}

export const labelProblem = (text: string): string | undefined =>
  /^[\p{L}\p{N}][\p{L}\p{N}._:/-]{0,39}$/u.test(text)
    ? undefined
    : "must be 1 to 40 letters, digits, dots, dashes, underscores, colons or slashes";

/** With these added and those removed, in alphabetical order. */
export function changeLabels(
  labels: readonly string[],
  { add = [], remove = [] }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): string[] {
  const gone = new Set(remove);
  return [...new Set([...labels, ...add])].filter((label) => !gone.has(label)).sort();
}
