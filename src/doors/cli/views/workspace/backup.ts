// Views of backups.

import { bytesText } from "../../../../app/text/wording.js";
import { step } from "../../../../app/vocabulary.js";
import type { ViewOf } from "../../view.js";

const create: ViewOf<"backup.create"> = {
  text: ({ file }, style) => `${style.green("✓")} Saved a copy of the plan in ${file}`,
};

const list: ViewOf<"backup.list"> = {
  text: ({ backups }, style) =>
    backups.length === 0
      ? style.dim("There is no backup of this plan.")
      : backups
          .map(
            ({ file, at, bytes, replaced }) =>
              `${at.slice(0, 16).replace("T", " ")} UTC  ${bytesText(bytes).padStart(8)}  ${replaced ? "replaced by a restore  " : ""}${file}`,
          )
          .join("\n"),
  next: ({ backups }) => (backups.length === 0 ? [step("backup.create")] : [step("backup.restore", {}, "file")]),
};

const restore: ViewOf<"backup.restore"> = {
  text: ({ operations, missing }, style) =>
    [
      `${style.green("✓")} Restored the plan with its ${operations === 1 ? "1 operation" : `${operations} operations`}`,
      ...(missing
        ? [
            `  ${missing.from === missing.to ? `Operation ${missing.to} is` : `Operations ${missing.from} to ${missing.to} are`} not in the backup.`,
          ]
        : []),
    ].join("\n"),
  note: ({ kept }) => (kept === null ? "" : `The plan that was here before: ${kept}`),
  next: ({ kept }) => [
    step("status"),
    step("verify"),
    ...(kept === null ? [] : [step("backup.restore", { file: kept })]),
  ],
};

export const backupViews = { "backup.create": create, "backup.list": list, "backup.restore": restore };
