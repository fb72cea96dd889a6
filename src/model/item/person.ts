// What people say once for the workspace. Whom the plan knows: by the public half of the key that is made from their secret; only who is
// known adds another one, and the first is whoever started the plan. What they want to hear of. How far the daemon may go by itself.

import type { Actor } from "../actor.js";
import type { Nr } from "../node/node.js";

export interface Person {
  /** Checks what they signed: `pwk_…`. It is no secret. */
  readonly key: string;
  /** Who it was when they were added. One secret may sign under several names. */
  readonly name: Actor;
  /** The id of the person who added them; null of the first. */
  readonly addedBy: string | null;
  readonly at: number;
  /** The signature of whoever added them, over key, name and time; the first signs for themselves. */
  readonly seal: string;
  readonly state: "known" | "removed";
}

/** What `seal` signs. */
export const personText = ({ key, name, at }: Pick<Person, "key" | "name" | "at">): string =>
  ["planwright person", key, name, at].join("\n");

export const NEWS = ["ready", "claimed", "completed", "rejected", "needs-person", "landed"] as const;
export type News = (typeof NEWS)[number];

export interface Subscription {
  readonly actor: Actor;
  readonly state: "active" | "ended";
  readonly scope: "workspace" | "feature" | "task";
  /** Null for the workspace. */
  readonly target: Nr | null;
  readonly news: readonly News[];
  /** Everything up to this operation was read. */
  readonly cursor: number;
  readonly createdAt: number;
}

export const LEVELS = ["off", "on", "auto"] as const;
export type Level = (typeof LEVELS)[number];

export interface LevelSetting {
  readonly level: Level;
  readonly by: Actor;
  readonly at: number;
  readonly reason: string;
  /** A person allowed `auto` although nothing confines workers. */
  readonly unconfined?: boolean;
}

/** The key of the workspace's own; a feature's is its row number. */
export const WORKSPACE_LEVEL = "workspace";

/** Until a person says otherwise. A feature without one follows the workspace. */
export const DEFAULT_LEVEL: Level = "off";

const rank = (level: Level): number => LEVELS.indexOf(level);

export const isRaise = (from: Level, to: Level): boolean => rank(to) > rank(from);

/** The lower of the two counts. */
export const effectiveLevel = (workspace: Level, feature: Level | undefined): Level =>
  feature !== undefined && rank(feature) < rank(workspace) ? feature : workspace;
