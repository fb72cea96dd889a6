// The view of cleaning up.

import { bytesText, plural } from "../../../../app/text/wording.js";
import { step } from "../../../../app/vocabulary.js";
import type { ViewOf } from "../../view.js";

const gc: ViewOf<"gc"> = {
  text: ({ removed, expired, bytes, dryRun, repository }, style) => {
    const lines = [
      ...removed.map((each) => `  ${each.kind.padEnd(18)}${sizeText(each.bytes).padStart(8)}  ${each.name}`),
      ...expired.map((id) => `  ${"unmerged work".padEnd(26)}  ${id}`),
    ];
    const count = plural(lines.length, "thing");
    const head =
      lines.length === 0
        ? style.dim("Nothing is old enough to remove.")
        : `${dryRun ? "Would remove" : `${style.green("✓")} Removed`} ${count}, ${bytesText(bytes)}:`;
    const packing = repository?.due
      ? [
          dryRun
            ? `Would pack the repository: it has ${plural(repository.loose, "loose object")}.`
            : `Packed the repository: ${plural(repository.loose, "loose object")} before, ${repository.left} now.`,
        ]
      : [];
    return [head, ...lines, ...packing].join("\n");
  },
  note: ({ problems, soon }) =>
    [...problems, ...soon.map(({ id, until }) => `The unmerged work of ${id} expires on ${until.slice(0, 10)}.`)].join(
      "\n",
    ),
  next: ({ dryRun, removed, expired }) => (dryRun && removed.length + expired.length > 0 ? [step("gc")] : []),
};

const sizeText = (bytes: number | null): string => (bytes === null ? "" : bytesText(bytes));

export const gcViews = { gc };
