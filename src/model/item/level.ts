// How far the daemon may go by itself: for the workspace, and for each feature.

import type { Actor } from "../actor.js";

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

/** What counts without a level of its own. A feature follows the workspace: nothing of its own holds it back. */
export const unsetLevel = (key: string): Level => (key === WORKSPACE_LEVEL ? DEFAULT_LEVEL : "auto");
