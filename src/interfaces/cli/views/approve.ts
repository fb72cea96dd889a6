// The view of an approval: of nodes, or of a planning run whose plan was added with it.

import type { Approved } from "../../../actions/branch/approve.js";
import { step } from "../../../app/vocabulary.js";
import { appliedText } from "../text/applied-run.js";
import { undoStep } from "../text/ids.js";
import type { Style } from "../text/style.js";
import type { ViewOf } from "../view.js";

/** Approving so many takes about a second, in which nobody else can write. */
const MANY_NODES = 10_000;

const approve: ViewOf<"approve"> = {
  text: (output, style) => ("run" in output ? appliedText(output, style) : approvedLine(output, style)),
  note: ({ approved }) =>
    approved.length < MANY_NODES
      ? ""
      : "This was one operation, so that one undo takes it back. Others could not write until it was done.",
  next: ({ approved, op }) => [...(approved.length > 0 ? [step("next")] : []), ...undoStep(op)],
};

function approvedLine({ approved, despite }: Approved, style: Style): string {
  if (approved.length === 0) return style.dim("All of it was approved already.");
  const count = `${approved.length} ${approved.length === 1 ? "node" : "nodes"}`;
  return `${style.green("✓")} approved ${count}${despite.length > 0 ? `, despite ${despite.join(", ")}` : ""}`;
}

export const approveViews = { approve };
