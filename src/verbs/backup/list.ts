import { step } from "../../model/next-step.js";
import { ok, type Result } from "../../model/result.js";
import { fields } from "../kit/schema.js";
import type { Backup } from "../kit/verb.js";
import { folderVerb } from "../kit/verb.js";
import { bytesText } from "../text/wording.js";

export const input = fields({});

export const verb = folderVerb({
  name: "backup.list",
  command: { words: "backup list", group: "tool" },
  summary: "List the backups of the plan",
  description:
    "The newest first, with the plans that a restored backup replaced. Works without a plan, too: that is when you need them.",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: {}, does: "lists them with their date and size" }],
  run: async (folder): Promise<Result<{ readonly backups: readonly Backup[] }>> =>
    ok({ backups: await folder.backups() }),
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
});
