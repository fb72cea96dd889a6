import type { BaseChecks } from "../../engine/judgement/check-base.js";
import type { Style } from "../kit/style.js";
import { harmless } from "../text/harmless.js";
import { lineOf } from "../text/ids.js";
import { plural } from "../text/wording.js";

/** A check that passes before the work is worth a warning; one that fails is as it should be. */
export function baseLines(base: BaseChecks | undefined, style: Style): string[] {
  if (!base) return [];
  const green = base.checks.filter(({ passed }) => passed);
  const red = base.checks.length - green.length;
  return [
    ...green.map(
      ({ task, run, commit }) =>
        `${style.yellow("!")} ${task}: ${harmless(run)} passes already on ${commit.slice(0, 10)}, so it can only show that nothing broke.`,
    ),
    ...(red > 0 ? [style.dim(`${plural(red, "check")} ${red === 1 ? "fails" : "fail"} before the work.`)] : []),
    ...lineOf(style.dim("Not run, because you have not approved them"), base.skipped),
  ];
}
