// Plans with one thing wrong, for the conformance lint.

import type { PlanRecord } from "../src/model/item/record.js";
import type { LintCode } from "../src/model/lint-codes.js";
import type { DraftTask, PlanDraft } from "../src/planning/contracts/plan-draft.js";
import { lintDraft } from "../src/planning/lint/lint.js";
import type { LintInput } from "../src/planning/lint/rules.js";
import { parseSpec } from "../src/planning/spec/parse.js";
import { draft, file, task } from "./plan-draft.js";
import { makeRecord } from "./record.js";

export type Given = Partial<LintInput>;

export const input = (plan: PlanDraft, given: Given = {}): LintInput => ({
  draft: plan,
  hasTool: (name) => ["npm", "node", "npx", "sh", "grep", "test"].includes(name),
  level: "strict",
  mode: "full",
  ...given,
});

export const look = (plan: PlanDraft, given: Given = {}) => lintDraft(input(plan, given));
export const codes = (plan: PlanDraft, given: Given = {}): string[] =>
  look(plan, given).findings.map(({ code }) => code);

export const SPEC = parseSpec("# Lamp\n\n- REQ-1: The lamp can be switched on.\n- The lamp is green.\n");
export const whole = task("T1", { quotes: ["The lamp is green."], requirements: ["REQ-1"] });

export const record = (more: Partial<PlanRecord>): { key: string; record: PlanRecord } => ({
  key: "CON-001",
  record: makeRecord({
    kind: "constraint",
    title: "No new dependencies",
    approvedBy: "human:ada",
    approvedAt: 1,
    ...more,
  }),
});
export const FORBIDS = record({ forbids: { files: ["src/legacy/**"], words: ["npm install"] } });
export const FAST = record({
  kind: "requirement",
  title: "Fast start",
  measure: { metric: "start time", op: "<", target: 100, run: "node bench.mjs" },
});

export interface Case {
  readonly code: LintCode;
  readonly when: string;
  readonly bad: readonly [PlanDraft, Given?];
  readonly good: readonly [PlanDraft, Given?];
  readonly says: RegExp;
}

export const steel = (id: string, more: Partial<DraftTask> = {}): DraftTask => task(id, { steelThread: true, ...more });
export const tiny = (id: string, ...dependsOn: string[]): DraftTask =>
  task(id, { dependsOn, estimateHours: 0.2, files: [file("src/a.ts")] });
export const withoutProfile = (each: DraftTask): DraftTask => {
  const { profile: _, ...rest } = each;
  return rest;
};
export const running = (run: string): PlanDraft => draft([task("T1", { checks: [{ run }] })]);
export const fine = draft([task("T1")]);
