// The view of a prepared revert.

import { plural } from "../../../../app/text/wording.js";
import { step } from "../../../../app/vocabulary.js";
import type { ViewOf } from "../../view.js";

const revert: ViewOf<"revert"> = {
  text: ({ reverts, commit, feature, task, files }, style) =>
    `${style.green("✓")} ${style.bold(task)} in ${feature} reverts ${reverts} (${commit.slice(0, 10)}): ${plural(files.length, "file")}`,
  note: ({ conflicts }) =>
    conflicts.length === 0
      ? "The revert is prepared. Approve it, run it, and land it:"
      : `Later work changed ${conflicts.join(", ")} as well, so the task has to be done by hand or by an agent:`,
  next: ({ feature }) => [
    step("approve", { references: [feature] }),
    step("run", { within: feature }),
    step("land", { reference: feature }),
  ],
};

export const revertViews = { revert };
