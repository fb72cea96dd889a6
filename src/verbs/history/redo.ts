import { fields, harmless, optional, planVerb, undoStep } from "../kit/verb.js";
import { operationNumber } from "./log.js";

export const input = fields({ operation: optional(operationNumber("the number of the operation that was undone")) });

export const verb = planVerb({
  command: { words: "redo", group: "decide", positional: ["operation"] },
  summary: "Redo what was undone",
  description:
    "Without a number it is what you undid last, as long as you did nothing else since. A claim does not come back: claim the task again. It is refused when something else changed the same nodes since, and lists what did.",
  effect: "writes",
  takesNode: true,
  input,
  examples: [{ input: {}, does: "redoes what the latest undo took back" }],
  run: async (session, { operation: op }) => (await import("./take-back.js")).redo(session, op),
  text: ({ of, sentence }, style) => `${style.green("↷")} did operation ${of} again: ${harmless(sentence)}`,
  note: ({ skipped }) =>
    skipped.map(({ op, sentence, why }) => `Skipped operation ${op} (${harmless(sentence)}): ${why}.`),
  next: ({ of }) => undoStep(of),
});
