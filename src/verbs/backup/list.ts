import { type Backup, bytesText, folderVerb, linesOr, minute, ok, step } from "../kit/verb.js";

export const verb = folderVerb({
  command: { words: "backup list", group: "tool" },
  summary: "List the backups of the plan",
  description:
    "The newest first, with the plans that a restored backup replaced. It says which are of another plan that was kept here. Works without a plan, too: that is when you need them.",
  effect: "reads",
  examples: [{ input: {}, does: "lists them with their date and size" }],
  run: async (folder) => ok({ backups: await folder.backups() }),
  text: ({ backups }, style) => backupLines(backups, style),
  next: ({ backups }) => (backups.length === 0 ? [step("backup.create")] : [step("backup.restore", {}, "file")]),
});

const backupLines = linesOr(
  "There is no backup of this plan.",
  ({ file, at, bytes, replaced, otherPlan }: Backup) =>
    `${minute(at)}  ${bytesText(bytes).padStart(8)}  ${otherPlan ? "of another plan  " : ""}${replaced ? "replaced by a restore  " : ""}${file}`,
);
