// Notes about a claim. They are no part of what an approval binds.

import type { Nr } from "../node/node.js";

/** A checkout as it was when the task was claimed. What differs from it later is the task's change set. */
export interface ClaimedCheckout {
  readonly path: string;
  readonly head: string;
  /** The tree of all files, if some were not as in `head`. */
  readonly tree: string | null;
  /** How long git's log of HEAD was there: what is behind that came later. */
  readonly log?: number | null;
}

export interface ClaimNotes {
  readonly state: "kept";
  readonly task: Nr;
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
