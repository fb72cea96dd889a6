// An edited document as a draft, if it still has the form of one.

import { ok, type Result, usage } from "../../graph/result.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { readDraft } from "../lint/lint.js";
import { readPlan, renameIds } from "./read-plan.js";

export interface EditedDraft {
  readonly draft: PlanDraft;
  /** One line for each change that was understood. */
  readonly changes: readonly string[];
}

/** `names`: what ids of a draft are called in the plan. A document that was exported before the approval has the former. */
export function editDraft(
  draft: PlanDraft,
  document: string,
  names: Readonly<Record<string, string>> = {},
): Result<EditedDraft> {
  const edited = readPlan(draft, renameIds(document, names));
  const read = readDraft(edited.draft);
  if (read.draft !== undefined) return ok({ draft: read.draft, changes: edited.changes });
  const problems = read.findings.map(({ message }) => message);
  return usage("bad-plan", `The edited plan cannot be read: ${problems.slice(0, 5).join(" ")}`, {
    details: { problems },
  });
}
