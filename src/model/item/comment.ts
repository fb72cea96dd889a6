// What people and agents say about a node: comments, notes of a claim, and the words that they sort nodes by. None of it is part of what
// an approval binds.

import type { Actor } from "../actor.js";
import type { Nr } from "../node/node.js";

export interface Comment {
  readonly state: "kept";
  readonly node: Nr;
  readonly text: string;
  readonly createdAt: number;
  readonly createdBy: Actor;
}

/** All labels of one node. */
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

/** A checkout as it was when the task was claimed. What differs from it later is the task's change set. */
export interface ClaimedCheckout {
  /** The top of the working tree. */
  readonly path: string;
  readonly head: string;
  /** The tree of all files, if some were not as in `head`. */
  readonly tree: string | null;
}

export interface ClaimNotes {
  readonly state: "kept";
  readonly task: Nr;
  /** Of the claim. */
  readonly epoch: number;
  /** Null without git. */
  readonly checkout: ClaimedCheckout | null;
  /** How often it was handed in and its checks failed. */
  readonly failed: number;
  /** Without git, where there are no attempts: what the worker of each claim said it used. */
  readonly spent?: readonly ClaimSpending[];
}

export interface ClaimSpending {
  readonly epoch: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly at: number;
}
