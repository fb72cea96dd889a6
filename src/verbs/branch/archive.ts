import { step } from "../../model/next-step.js";
import { fields, nodes } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { lineOf, undoStep } from "../text/ids.js";

export const input = fields({ references: nodes("a finished initiative, feature or story") });

export const verb = planVerb({
  name: "archive",
  command: { words: "archive", group: "decide", positional: ["references"] },
  summary: "Hide finished nodes, with a summary of what was done",
  description:
    "Every node stays in the plan and still counts for whatever depends on it. An archived branch can be restored.",
  who: "both",
  effect: "writes",
  asksFirst: true,
  phrases: ["archive", "compress", "wrap up", "finalize feature", "finalize", "finalise", "close out"],
  hints: ["close"],
  tools: [{ tool: "edit", action: "archive", fields: ["references"] }],
  input,
  examples: [{ input: { references: ["FEAT-001"] }, does: "hides the feature and shows its summary" }],
  run: async (session, asked) => (await import("./archive-action.js")).archive(session, asked),
  text: ({ summary }, style) => `${style.dim("⌂")} archived ${harmless(summary)}`,
  note: ({ lessons }) => lineOf("Lessons kept", lessons).join("\n"),
  next: ({ op, lessons }) => [...(lessons.length > 0 ? [step("memory.list")] : []), ...undoStep(op)],
});
