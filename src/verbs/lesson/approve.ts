import { allOf, fields, key } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { undoStep } from "../text/ids.js";
import { approveLessons } from "./list.js";

export const input = fields({ ids: allOf(key("memory", "a lesson, such as MEM-001", "ID")) });

export const verb = planVerb({
  name: "lesson.approve",
  command: { words: "lesson approve", group: "record", positional: ["ids"], aliases: [{ words: "memory approve" }] },
  summary: "Approve lessons that agents proposed",
  description: "An agent's lesson goes into no prompt and no bundle before you approve it.",
  who: "person",
  effect: "writes",
  input,
  examples: [{ input: { ids: ["MEM-001"] }, does: "keeps the lesson for later plans and tasks" }],
  run: approveLessons,
  text: ({ approved }, style) =>
    approved.length === 0
      ? style.dim("All of them were approved already.")
      : `${style.green("✓")} approved ${approved.join(", ")}`,
  next: ({ op }) => undoStep(op),
});
