// Ids in an answer, and the way back from what was done.

import { type NextStep, step } from "../../model/next-step.js";
import type { EndedClaim } from "../../plan/node/branch.js";
import { idList } from "./wording.js";

export const undoStep = (op: number | null): NextStep[] => (op === null ? [] : [step("undo", { operation: op })]);

/** Whose work a decision has ended. */
export const endedLine = (claims: readonly EndedClaim[]): string[] =>
  lineOf(
    "  claims that ended",
    claims.map(({ id, by }) => `${id} (${by})`),
  );

/** Nothing for an empty list. */
export const lineOf = (label: string, ids: readonly string[]): string[] =>
  ids.length === 0 ? [] : [`${label}: ${idList(ids)}`];

/** The notes that say something, one per line. */
export const notes = (...lines: readonly string[]): string => lines.filter((line) => line !== "").join("\n");
