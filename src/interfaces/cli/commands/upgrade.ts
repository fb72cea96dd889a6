import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";

export const upgrade: Command = {
  name: "upgrade",
  group: "tending",
  summary: "Bring the plan's store to this program's schema",
  description:
    "Makes a backup first, then changes the schema in one transaction: it is upgraded whole or stays as it was. No other command ever does this.",
  examples: [{ run: "planwright upgrade", does: "upgrades, and says where the backup is" }],
  run: async (_, app) => {
    const done = await app.upgrade();
    const { from, to, backup } = done;
    return ok({
      data: done,
      text: (style) =>
        backup === null
          ? style.dim(`The store has schema ${to} already; nothing was changed.`)
          : `${style.green("✓")} upgraded from schema ${from} to ${to}`,
      note: () => (backup === null ? "" : `The plan as it was: ${backup}`),
    });
  },
};
