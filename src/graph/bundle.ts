// The frozen input of one attempt: what was packed, from which content, and what the files looked like then.

import type { Actor } from "./actor.js";
import type { Nr } from "./node.js";

export interface Bundle {
  readonly task: Nr;
  readonly state: "current" | "replaced" | "removed";
  /** Of the packed text. */
  readonly hash: string;
  readonly tokens: number;
  /** What the task's content hashed to. */
  readonly content: string;
  /** Hashes of what went in: records, artifacts, memories, by key. */
  readonly parts: Readonly<Record<string, string>>;
  /** Hashes of files that dependencies made and that the task builds on; empty for one that was missing. */
  readonly files: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly createdBy: Actor;
}
