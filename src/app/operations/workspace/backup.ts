// Operations on backups of the plan: make one, list them, and put one in the place of the plan.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ok, type Result, refused } from "../../../graph/result.js";
import { folderOperation, operation } from "../../operation.js";
import { type Backup, saveBackup } from "../../safety/backups.js";
import { filled, input, optional } from "../../schema.js";

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
  description: "The newest first. Works without a plan, too: that is when you need them.",
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
    "It first checks the backup's log and rows, and upgrades it if an older version made it. What was there is kept in .planwright/replaced. The log says that you restored it, and which operations are not in the backup. Stop the daemon before. To go on with what is left of a damaged plan, name its own file.",
  who: "person",
  effect: "writes",
  input: () => input({ file: filled("the backup", "FILE") }),
  examples: [
    {
      input: { file: "plan-before-release.db" },
      does: "checks the file and puts it in the place of the plan",
    },
  ],
  run: (folder, { file }) => folder.restore(file),
});

export const backupOperations = { "backup.create": create, "backup.list": list, "backup.restore": restore };
