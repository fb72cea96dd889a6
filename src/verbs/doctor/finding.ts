// What `doctor` finds out about one subject, and how to fix it.

import type { NextStep } from "../../model/next-step.js";

export const HEALTH_SUBJECTS = [
  "node",
  "git",
  "repository",
  "main branch",
  "branches",
  "store",
  "configuration",
  "agents",
  "hosts",
  "sandbox",
  "hooks",
  "signing",
  "submodules",
  "daemon",
  "permissions",
  "leftovers",
] as const;

export type HealthSubject = (typeof HEALTH_SUBJECTS)[number];

export interface HealthFinding {
  readonly subject: HealthSubject;
  /** `note`: it works, but you should know. `problem`: something does not work. */
  readonly state: "ok" | "note" | "problem";
  readonly message: string;
  /** How to fix it, in words. Null if there is nothing to fix. */
  readonly fix: string | null;
  readonly next: readonly NextStep[];
}

/** Without the subject, which the list of examinations knows. */
export type Examined = Omit<HealthFinding, "subject">;

export const fine = (message: string): Examined => ({ state: "ok", message, fix: null, next: [] });

export const remark = (message: string, fix: string | null = null, next: readonly NextStep[] = []): Examined => ({
  state: "note",
  message,
  fix,
  next,
});

export const wrong = (message: string, fix: string, next: readonly NextStep[] = []): Examined => ({
  state: "problem",
  message,
  fix,
  next,
});
