// What `doctor` finds out about one subject, and how to fix it.

import type { Environment } from "../../machine/process/environment.js";
import { type Folder, type NextStep } from "../kit/verb.js";

/** The folder that is examined: the one that holds the plan, or would hold it. */
export interface Patient {
  readonly root: string;
  readonly exists: boolean;
  readonly env: Environment;
  readonly folder: Folder;
  /** Whether the whole log is read. */
  readonly verify: boolean;
}

export interface ExaminationResult {
  /** `note`: it works, but you should know. `problem`: something does not work. */
  readonly state: "ok" | "note" | "problem";
  readonly message: string;
  /** How to fix it, in words. Null if there is nothing to fix. */
  readonly fix: string | null;
  readonly next: readonly NextStep[];
}

const found =
  (state: ExaminationResult["state"]) =>
  (message: string, fix: string | null = null, next: readonly NextStep[] = []): ExaminationResult => ({
    state,
    message,
    fix,
    next,
  });

export const fine = found("ok");
export const remark = found("note");
export const wrong = found("problem");
