// The view of an approval: of nodes, or of a planning run whose plan was added with it.

import type { Approved } from "../../../actions/branch/approve.js";
import { step } from "../../../app/vocabulary.js";
import type { Style } from "../command.js";
import { undoStep } from "../ids.js";
import type { ViewOf } from "../view.js";
import { appliedText } from "./applied-run.js";

export const approve: ViewOf<"approve"> = {
  text: (output, style) => ("run" in output ? appliedText(output, style) : approvedLine(output, style)),
  next: ({ approved, op }) => [...(approved.length > 0 ? [step("next")] : []), ...undoStep(op)],
};

function approvedLine({ approved, despite }: Approved, style: Style): string {
  if (approved.length === 0) return style.dim("All of it was approved already.");
  const count = `${approved.length} ${approved.length === 1 ? "node" : "nodes"}`;
  return `${style.green("✓")} approved ${count}${despite.length > 0 ? `, despite ${despite.join(", ")}` : ""}`;
}
