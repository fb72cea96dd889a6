// Views of the level.

import type { LevelView } from "../../../../actions/level/level.js";
import { harmless } from "../../../../app/text/harmless.js";
import { step } from "../../../../app/vocabulary.js";
import { notes, undoStep } from "../../text/ids.js";
import { type Style } from "../../text/style.js";
import type { ViewOf } from "../../view.js";

const show: ViewOf<"level.show"> = {
  text: render,
  next: ({ level, feature }) =>
    level === "off" ? [step("level.set", { level: "on", ...(feature === null ? {} : { in: feature }) })] : [],
};

const set: ViewOf<"level.set"> = {
  text: render,
  note: ({ op, level, effective }) =>
    notes(
      op === null ? `It was ${level} already.` : "",
      effective === level ? "" : `The workspace is at ${effective}, and the lower one counts.`,
    ),
  next: ({ op }) => undoStep(op),
};

function render(view: LevelView, style: Style): string {
  const rows = [
    lineOf(view.feature ?? "workspace", view, style),
    ...view.features.map((each) => lineOf(each.id, each, style)),
  ];
  return rows.join("\n");
}

function lineOf(
  name: string,
  { level: own, effective, by, reason, unconfined }: Omit<LevelView, "feature" | "features" | "next">,
  style: Style,
): string {
  const counts = effective === own ? "" : `, counts as ${effective}`;
  const who = by === null ? "" : `  by ${by}${reason === null ? "" : `: ${harmless(reason)}`}`;
  const despite = unconfined ? ", without a sandbox" : "";
  return `${style.bold(name)}  ${own}${counts}${despite}${style.dim(who)}`;
}

export const levelViews = { "level.show": show, "level.set": set };
