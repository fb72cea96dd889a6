// One atomic change to the plan, as the log remembers it.

import type { Actor } from "../actor.js";

export interface LoggedOperation {
  readonly op: number;
  readonly at: number;
  readonly actor: Actor;
  readonly verb: string;
  readonly sentence: string;
  readonly commit: string | null;
  /** The operation that this one took back. */
  readonly undoes: number | null;
  /** The operation that this one did again. */
  readonly redoes: number | null;
}
