// What `doctor` finds out about one subject, and how to fix it.

import type { Environment } from "../../machine/process/environment.js";
import type { NextStep } from "../../model/next-step.js";
import type { Folder } from "../kit/verb.js";

/** The folder that is examined: the one that holds the plan, or would hold it. */
export interface Patient {
  readonly root: string;
  readonly exists: boolean;
  readonly env: Environment;
  readonly folder: Folder;
}

export interface ExaminationResult {
  /** `note`: it works, but you should know. `problem`: something does not work. */
  readonly state: "ok" | "note" | "problem";
  readonly message: string;
  /** How to fix it, in words. Null if there is nothing to fix. */
  readonly fix: string | null;
  readonly next: readonly NextStep[];
}

export const fine = (message: string): ExaminationResult => ({ state: "ok", message, fix: null, next: [] });

export const remark = (
  message: string,
  fix: string | null = null,
  next: readonly NextStep[] = [],
): ExaminationResult => ({
  state: "note",
  message,
  fix,
  next,
});

export const wrong = (message: string, fix: string, next: readonly NextStep[] = []): ExaminationResult => ({
  state: "problem",
  message,
  fix,
  next,
});
