import { step } from "../../model/next-step.js";
import { fields, filled } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { renderMemory, searchMemories } from "./list.js";

export const input = fields({ text: filled("the words to look for") });

export const verb = planVerb({
  name: "lesson.search",
  command: { words: "lesson search", group: "record", positional: ["text"], aliases: [{ words: "memory search" }] },
  summary: "Find lessons, the most relevant first",
  who: "both",
  effect: "reads",
  tools: [{ tool: "find", action: "lessons", fields: ["text"], pages: "" }],
  input,
  examples: [{ input: { text: "rate limit" }, does: "lists the lessons about it" }],
  run: searchMemories,
  text: (found, style) =>
    found.length === 0
      ? style.dim("No lesson is about that.")
      : found.map((lesson) => renderMemory(lesson, style)).join("\n"),
  next: (found) => (found.length === 0 ? [step("lesson.list")] : []),
});
