// An edited document as a draft, if it still has the form of one.

import { ok, type Result, usage } from "../../graph/result.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { readDraft } from "../lint/lint.js";
import { readPlan } from "./read-plan.js";

export function editDraft(draft: PlanDraft, document: string): Result<PlanDraft> {
  const read = readDraft(readPlan(draft, document).draft);
  if (read.draft !== undefined) return ok(read.draft);
  const problems = read.findings.map(({ message }) => message);
  return usage("bad-plan", `The edited plan cannot be read: ${problems.slice(0, 5).join(" ")}`, {
    details: { problems },
  });
}
