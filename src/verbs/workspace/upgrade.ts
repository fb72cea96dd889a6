import { folderVerb, ok, plural, step } from "../kit/verb.js";

export const verb = folderVerb({
  command: { words: "upgrade", group: "tool" },
  summary: "Upgrade the plan's file for this version of the program",
  description:
    "It makes a backup first. The upgrade is one transaction: if it fails, the file stays as it was. No other command upgrades a file. If somebody signed approvals in the plan, run it where their secret is.",
  effect: "writes",
  examples: [{ input: {}, does: "upgrades the file and shows where the backup is" }],
  run: async (folder) => ok(await folder.upgrade()),
  text: ({ from, to, backup }, style) =>
    backup === null
      ? style.dim(`The store has schema ${to} already; nothing was changed.`)
      : `${style.green("✓")} upgraded from schema ${from} to ${to}`,
  note: ({ backup, unconfirmed }) => [
    backup !== null && `Backup of the plan before the upgrade: ${backup}`,
    unconfirmed !== undefined &&
      `${plural(unconfirmed, "node was", "nodes were")} approved with a secret that this plan does not know. Nothing of that runs before you confirm it, in one step.`,
  ],
  next: ({ unconfirmed }) => (unconfirmed === undefined ? [] : [step("people.confirm")]),
});
