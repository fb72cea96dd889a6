import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Folder, fields, filled, flag, folderVerb, optional, plural, step } from "../kit/verb.js";

export const input = fields({ file: filled("the backup", "FILE"), yes: optional(flag("do not ask for confirmation")) });

export const verb = folderVerb({
  command: { words: "backup restore", group: "tool", positional: ["file"] },
  summary: "Put a backup in the place of the plan",
  description:
    "The backup may also be a whole plan that was exported as json. It says how many operations it takes out of the plan, and asks. It checks the backup's log and rows, and upgrades it if an older version made it. What was there is kept in .planwright/replaced, and backup list shows it: restoring that is the way back. The log says that you restored it, and which operations are not in the backup. Stop the daemon before. To go on with what is left of a damaged plan, name its own file.",
  who: "person",
  effect: "writes",
  input,
  examples: [
    {
      input: { file: "plan-before-release.db" },
      does: "says what it takes out of the plan, asks, and puts it in its place",
    },
    { input: { file: "plan-before-release.db", yes: true }, does: "does it without a question" },
  ],
  run: async (folder, { file: named, yes = false }) => {
    const { confirmRestore } = await import("../safety/restore-backup.js");
    return withPlanFile(folder, named, async (file) => {
      if (yes) return folder.restore(file);
      const sure = await confirmRestore(folder, file);
      return sure.ok ? folder.restore(file, sure.value?.end) : sure;
    });
  },
  text: ({ operations, missing }, style) => [
    `${style.green("✓")} Restored the plan with its ${plural(operations, "operation")}`,
    missing &&
      `  ${missing.from === missing.to ? `Operation ${missing.to} is` : `Operations ${missing.from} to ${missing.to} are`} not in the backup.`,
  ],
  note: ({ kept }) => (kept === null ? "" : `The plan that was here before: ${kept}`),
  next: ({ kept }) => [
    step("status"),
    step("verify"),
    ...(kept === null ? [] : [step("backup.restore", { file: kept })]),
  ],
});

/** What was exported as text becomes a plan in a file of its own first. */
async function withPlanFile<T>(at: Folder, named: string, work: (file: string) => Promise<T>): Promise<T> {
  const { isTextCopy, planFromText } = await import("../../store/open/text-copy.js");
  const file = at.fileAt(named);
  if (!isTextCopy(file)) return work(named);
  const folder = mkdtempSync(join(tmpdir(), "planwright-restore-"));
  try {
    const made = join(folder, basename(named));
    await planFromText(file, made);
    return await work(made);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
