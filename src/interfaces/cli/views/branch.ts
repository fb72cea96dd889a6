// Views of operations on nodes together with everything below them.

import { step } from "../../../app/vocabulary.js";
import { endedLine, lineOf, undoStep } from "../text/ids.js";
import { harmless } from "../text/style.js";
import type { ViewOf } from "../view.js";

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
  text: ({ waived, endedClaims }, style) =>
    [...lineOf(`${style.green("~")} waived`, waived), ...endedLine(endedClaims)].join("\n"),
  next: ({ op }) => undoStep(op),
};

const drop: ViewOf<"drop"> = {
  text: ({ dropped, waiting, endedClaims, kept }, style) =>
    [
      ...lineOf(`${style.dim("−")} dropped`, dropped),
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

export const branchViews = { unapprove, freeze, thaw, waive, drop, archive, restore };
