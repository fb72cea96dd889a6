// What an actor wants to hear of.

import type { Actor } from "../actor.js";
import type { Nr } from "../node/node.js";

export const NEWS = ["ready", "claimed", "completed", "rejected", "needs-person", "landed"] as const;
export type News = (typeof NEWS)[number];

export interface Subscription {
  readonly actor: Actor;
  readonly state: "active" | "ended";
  readonly scope: "workspace" | "feature" | "task";
  readonly target: Nr | null;
  readonly news: readonly News[];
  /** Everything up to this operation was read. */
  readonly cursor: number;
  readonly createdAt: number;
}
