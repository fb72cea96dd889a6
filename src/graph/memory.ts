// A lesson that later plans and tasks may need.

import type { Actor } from "./actor.js";
import type { Nr } from "./node.js";

export interface Memory {
  readonly state: "kept" | "forgotten";
  readonly text: string;
  readonly keywords: readonly string[];
  /** The feature that it is about; null means the workspace. */
  readonly scope: Nr | null;
  /** `person`, or the id of the archived node that it was harvested from. */
  readonly source: string;
  readonly createdAt: number;
  readonly createdBy: Actor;
}
