import { archive as archiveBranch, restore } from "../../../actions/branch/archive.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { lineOf, wayBack } from "../ids.js";
import { notes } from "../render-change.js";
import { harmless } from "../style.js";

export const archive: Command = {
  name: "archive",
  group: "deciding",
  summary: "Take a finished branch out of view, with a summary",
  description:
    "Every node of it stays in the plan, whole, and still counts for whatever depends on it. --restore brings the branch back.",
  arguments: [{ name: "REF", help: "a finished feature, story or initiative", reference: true }],
  flags: { restore: { type: "boolean", help: "bring an archived branch back into view" } },
  examples: [
    { run: "planwright archive FEAT-001", does: "takes the feature out of view" },
    { run: "planwright archive FEAT-001 --restore", does: "brings it back" },
  ],
  run: async (input, app) => {
    const context = await app.open();
    const reference = input.args[0] as string;
    if (input.has("restore")) {
      const restored = await restore(context, reference);
      if (!restored.ok) return restored;
      return ok({
        data: restored.value,
        text: (style) => lineOf(`${style.green("✓")} back in view`, restored.value.restored).join("\n"),
      });
    }
    const archived = await archiveBranch(context, reference);
    if (!archived.ok) return archived;
    return ok({
      data: archived.value,
      text: (style) => `${style.dim("⌂")} archived ${harmless(archived.value.summary)}`,
      note: () => {
        const { op, lessons } = archived.value;
        return notes(...lineOf("Lessons that were kept (planwright memory list)", lessons), wayBack(op));
      },
    });
  },
};
