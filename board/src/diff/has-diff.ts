// Whether there is anything to compare for an attempt: before it works, and after it left nothing, there is not. Pure.

import type { AttemptRow } from "../api/types.js";

const WORKS: ReadonlySet<string> = new Set(["working", "checking", "reviewing", "integrating"]);

export const hasDiff = ({ state, kept }: Pick<AttemptRow, "state" | "kept">): boolean =>
  state === "accepted" || kept !== null || WORKS.has(state);
