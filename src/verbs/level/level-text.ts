import type { LevelView } from "../../plan/level/level.js";
import type { Style } from "../kit/style.js";
import { harmless } from "../text/harmless.js";

export function render(view: LevelView, style: Style): string {
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
