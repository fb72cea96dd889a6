import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fields, filled, ok, optional, planVerb, refused } from "../kit/verb.js";
import { saveBackup } from "../safety/backups.js";

export const input = fields({ file: optional(filled("where to write it", "FILE")) });

export const verb = planVerb({
  command: { words: "backup", group: "tool", positional: ["file"] },
  summary: "Save a copy of the plan",
  description:
    "Writes the whole plan with its log into a new file, while others may go on working. Without a file, the copy is put beside the daily backups, which Planwright makes by itself. It overwrites nothing.",
  effect: "writes",
  input,
  examples: [
    { input: {}, does: "saves a copy beside the daily backups" },
    { input: { file: "../plan-before-release.db" }, does: "saves a copy where you say" },
  ],
  run: async (session, { file }) => {
    if (file === undefined) return ok({ file: await saveBackup(session, session.env) });
    const to = resolve(session.cwd, file);
    if (existsSync(to)) return refused("file-exists", `${to} exists already. Choose another name.`);
    await session.store.backUp(to);
    return ok({ file: to });
  },
  text: ({ file }, style) => `${style.green("✓")} Saved a copy of the plan in ${file}`,
});
