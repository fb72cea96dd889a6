// Views of operations on nodes together with everything below them.

import type { ApprovalPreview } from "../../../../actions/branch/approval-preview.js";
import type { Approved } from "../../../../actions/branch/approve.js";
import { harmless } from "../../../../app/text/harmless.js";
import { previewText } from "../../../../app/text/preview-lines.js";
import { step } from "../../../../app/vocabulary.js";
import { appliedText } from "../../text/applied-run.js";
import { endedLine, lineOf, undoStep } from "../../text/ids.js";
import { PREVIEW_REPORT } from "../../text/preview-report.js";
import { type Style } from "../../text/style.js";
import type { ViewOf } from "../../view.js";

/** Approving so many takes about a second, in which no other program can write. */
const MANY_NODES = 10_000;

const approve: ViewOf<"approve"> = {
  text: (output, style) => {
    if ("hash" in output) return isEmptyText(output, style) ?? previewText(output, style);
    return "run" in output ? appliedText(output, style) : approvedLine(output, style);
  },
  note: (output) =>
    "hash" in output || output.approved.length < MANY_NODES
      ? ""
      : "This was one operation, so that one undo takes it back. Others could not write until it was done.",
  next: (output) =>
    "hash" in output ? [] : [...(output.approved.length > 0 ? [step("next")] : []), ...undoStep(output.op)],
  ...PREVIEW_REPORT,
};

const isEmptyText = ({ nodes, dropped }: ApprovalPreview, style: Style): string | undefined =>
  nodes.length + dropped.length === 0 ? style.dim("All of it was approved already.") : undefined;

function approvedLine({ approved, despite }: Approved, style: Style): string {
  if (approved.length === 0) return style.dim("All of it was approved already.");
  const count = `${approved.length} ${approved.length === 1 ? "node" : "nodes"}`;
  return `${style.green("✓")} approved ${count}${despite.length > 0 ? `, despite ${despite.join(", ")}` : ""}`;
}

const unapprove: ViewOf<"unapprove"> = {
  text: ({ unapproved }, style) => lineOf(`${style.dim("○")} no longer approved`, unapproved).join("\n"),
  next: ({ op }) => undoStep(op),
};

const freeze: ViewOf<"freeze"> = {
  text: ({ frozen, reason, released }, style) =>
    [
      ...lineOf(`${style.cyan("❄")} frozen`, frozen),
      `  ${style.dim("reason")} ${harmless(reason)}`,
      ...endedLine(released),
    ].join("\n"),
  next: ({ frozen, op }) => [step("thaw", { references: frozen.slice(0, 1) }), ...undoStep(op)],
};

const thaw: ViewOf<"thaw"> = {
  text: ({ thawed, dropped, endedClaims, stillFrozen }, style) => {
    const gone = new Set(dropped);
    const goOn = thawed.filter((id) => !gone.has(id));
    return [
      ...lineOf(`${style.green("✓")} thawed`, goOn),
      ...lineOf(`${style.dim("−")} dropped`, dropped),
      ...endedLine(endedClaims),
      ...lineOf(`${style.cyan("❄")} still frozen for a reason of their own`, stillFrozen),
    ].join("\n");
  },
  next: ({ op }) => undoStep(op),
};

const waive: ViewOf<"waive"> = {
  text: ({ waived, notPlanned, endedClaims }, style) =>
    [
      ...lineOf(`${style.green("~")} waived`, waived),
      ...lineOf("  no longer to be planned again", notPlanned),
      ...endedLine(endedClaims),
    ].join("\n"),
  next: ({ op }) => undoStep(op),
};

const drop: ViewOf<"drop"> = {
  text: ({ dropped, waiting, endedClaims, kept, notPlanned }, style) =>
    [
      ...lineOf(`${style.dim("−")} dropped`, dropped),
      ...lineOf("  no longer to be planned again", notPlanned),
      ...endedLine(endedClaims),
      ...lineOf("  part of every plan, so they stay", kept),
      ...lineOf(`${style.yellow("■")} cannot start now, because they depend on it`, waiting),
    ].join("\n"),
  next: ({ op }) => undoStep(op),
};

const archive: ViewOf<"archive"> = {
  text: ({ summary }, style) => `${style.dim("⌂")} archived ${harmless(summary)}`,
  note: ({ lessons }) => lineOf("Lessons kept", lessons).join("\n"),
  next: ({ op, lessons }) => [...(lessons.length > 0 ? [step("memory.list")] : []), ...undoStep(op)],
};

const restore: ViewOf<"restore"> = {
  text: ({ restored }, style) => lineOf(`${style.green("✓")} shown again`, restored).join("\n"),
  next: ({ op }) => undoStep(op),
};

export const branchViews = { approve, unapprove, freeze, thaw, waive, drop, archive, restore };
