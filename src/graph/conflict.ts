// Two tasks that would get into each other's way: which layer found it, what overlaps, and what was done about it.

import type { Actor } from "./actor.js";
import type { Nr } from "./node.js";

/** `files`: footprints share a path. `symbols`: both change the same symbol. `merge`: their branches do not merge. */
export type ConflictLayer = "files" | "symbols" | "merge";

/** `reorder`, `serialise`: the later one waits. `freeze`: a stored stop. `escalate`: a person decides. */
export type Arbitration = "reorder" | "serialise" | "freeze" | "escalate" | "none";

export interface Conflict {
  readonly layer: ConflictLayer;
  readonly state: "open" | "settled";
  /** The one that goes first, and the one that waits. */
  readonly first: Nr;
  readonly second: Nr;
  readonly files: readonly string[];
  readonly symbols: readonly string[];
  readonly arbitration: Arbitration;
  readonly resolution: string | null;
  readonly detectedAt: number;
  readonly detectedBy: Actor;
  readonly settledAt: number | null;
  readonly settledBy: Actor | null;
}
