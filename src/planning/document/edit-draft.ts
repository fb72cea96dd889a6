// An edited document as a draft, if it still has the form of one.

import { ok, type Result, usage } from "../../model/result.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { readDraft } from "../lint/lint.js";
import { closestTo, mergeEdits } from "./merge-edits.js";
import { readPlan, renameIds } from "./read-plan.js";

export interface EditedDraft {
  readonly draft: PlanDraft;
  /** One line for each change that was understood. */
  readonly changes: readonly string[];
}

export interface DocumentSource {
  /** Every plan document that the run ever had: any of them may be the one that was edited. */
  readonly versions: readonly string[];
  /** What ids of a draft are called in the plan. A document that was exported before the approval has the former. */
  readonly names: Readonly<Record<string, string>>;
}

/** While a run is open its document counts as it is. Once the plan is in use, only what was changed in the document does. */
export function editDraft(
  draft: PlanDraft,
  document: string,
  { versions, names }: DocumentSource = { versions: [], names: {} },
): Result<EditedDraft> {
  const [text = "", ...others] = [document, ...versions].map((each) => renameIds(each, names));
  const version = closestTo(text, others);
  const before = version === undefined ? draft : readPlan(draft, version).draft;
  const edited = readPlan(before, text);
  const read = readDraft(mergeEdits(draft, before, edited.draft));
  if (read.draft !== undefined) return ok({ draft: read.draft, changes: edited.changes });
  const problems = read.findings.map(({ message }) => message);
  return usage("bad-plan", `The edited plan cannot be read: ${problems.slice(0, 5).join(" ")}`, {
    details: { problems },
  });
}
