// What a planning run changed in the plan, for `plan apply` and for `approve`.

import type { AppliedRun } from "../../planning/run/apply.js";
import { inLine } from "./one-line.js";
import type { Style } from "./style.js";
import { plural } from "./wording.js";

export const appliedText = (
  { run, added, changed, dropped, approved, idea, documents }: AppliedRun,
  style: Style,
): string =>
  [
    `${style.green("✓")} ${run} is in the plan: ${added.length} added, ${changed.length} changed, ${dropped.length} dropped, ${approved.length} approved`,
    ...(idea === null ? [] : [`  ${idea} left the inbox: it is planned now.`]),
    ...(documents?.commit
      ? [`  committed ${plural(documents.files.length, "document")} as ${documents.commit.slice(0, 12)}`]
      : []),
    ...(documents?.problem ? [style.yellow(`  The documents were not committed: ${inLine(documents.problem)}`)] : []),
  ].join("\n");
