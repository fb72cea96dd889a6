// Operations on backups of the plan: make one, list them, and put one in the place of the plan.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ok, type Result, refused } from "../../../model/result.js";
import type { Restored } from "../../../store/restore.js";
import { folderOperation, operation } from "../../operation.js";
import { type Backup, saveBackup } from "../../safety/backups.js";
import { filled, flag, input, optional } from "../../schema.js";

const create = operation({
  name: "backup.create",
  summary: "Save a copy of the plan",
  description:
    "Writes the whole plan with its log into a new file, while others may go on working. Without a file, the copy is put beside the daily backups, which Planwright makes by itself. It overwrites nothing.",
  who: "both",
  effect: "writes",
  input: () => input({ file: optional(filled("where to write it", "FILE")) }),
  examples: [
    { input: {}, does: "saves a copy beside the daily backups" },
    { input: { file: "../plan-before-release.db" }, does: "saves a copy where you say" },
  ],
  run: async (session, { file }): Promise<Result<{ readonly file: string }>> => {
    if (file === undefined) return ok({ file: await saveBackup(session, session.env) });
    const to = resolve(session.cwd, file);
    if (existsSync(to)) return refused("file-exists", `${to} exists already. Choose another name.`);
    await session.store.backUp(to);
    return ok({ file: to });
  },
});

const list = folderOperation({
  name: "backup.list",
  summary: "List the backups of the plan",
  description:
    "The newest first, with the plans that a restored backup replaced. Works without a plan, too: that is when you need them.",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "lists them with their date and size" }],
  run: async (folder): Promise<Result<{ readonly backups: readonly Backup[] }>> =>
    ok({ backups: await folder.backups() }),
});

const restore = folderOperation({
  name: "backup.restore",
  summary: "Put a backup in the place of the plan",
  description:
    "It says how many operations it takes out of the plan, and asks. It checks the backup's log and rows, and upgrades it if an older version made it. What was there is kept in .planwright/replaced, and backup list shows it: restoring that is the way back. The log says that you restored it, and which operations are not in the backup. Stop the daemon before. To go on with what is left of a damaged plan, name its own file.",
  who: "person",
  effect: "writes",
  input: () => input({ file: filled("the backup", "FILE"), yes: optional(flag("do not ask for confirmation")) }),
  examples: [
    {
      input: { file: "plan-before-release.db" },
      does: "says what it takes out of the plan, asks, and puts it in its place",
    },
    { input: { file: "plan-before-release.db", yes: true }, does: "does it without a question" },
  ],
  run: async (folder, { file, yes = false }): Promise<Result<Restored>> => {
    if (yes) return folder.restore(file);
    const { confirmRestore } = await import("../../safety/restore-backup.js");
    const sure = await confirmRestore(folder, file);
    return sure.ok ? folder.restore(file, sure.value?.end) : sure;
  },
});

export const backupOperations = { "backup.create": create, "backup.list": list, "backup.restore": restore };
