// The view of an approval: of nodes, or of a planning run whose plan was added with it.

import type { Approved } from "../../../actions/branch/approve.js";
import { step } from "../../../app/vocabulary.js";
import type { AppliedView } from "../../../planning/planner.js";
import type { Style } from "../command.js";
import { undoStep } from "../ids.js";
import { inLine } from "../one-line.js";
import type { ViewOf } from "../view.js";

export const approve: ViewOf<"approve"> = {
  text: (output, style) => ("run" in output ? appliedLines(output, style).join("\n") : approvedLine(output, style)),
  next: ({ approved, op }) => [...(approved.length > 0 ? [step("next")] : []), ...undoStep(op)],
};

function approvedLine({ approved, despite }: Approved, style: Style): string {
  if (approved.length === 0) return style.dim("All of it was approved already.");
  const count = `${approved.length} ${approved.length === 1 ? "node" : "nodes"}`;
  return `${style.green("✓")} approved ${count}${despite.length > 0 ? `, despite ${despite.join(", ")}` : ""}`;
}

/** What a planning run changed in the plan. */
export function appliedLines(
  { run, added, changed, dropped, approved, documents }: AppliedView,
  style: Style,
): string[] {
  const counts = `${added.length} added, ${changed.length} changed, ${dropped.length} dropped, ${approved.length} approved`;
  return [
    `${style.green("✓")} ${run} is in the plan: ${counts}`,
    ...(documents?.commit
      ? [`  committed ${documents.files.length} documents as ${documents.commit.slice(0, 12)}`]
      : []),
    ...(documents?.problem ? [style.yellow(`  the documents were not committed: ${inLine(documents.problem)}`)] : []),
  ];
}
