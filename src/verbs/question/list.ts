import { answerStep } from "../../model/item/escalation.js";
import { fields, flag, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { renderEscalation } from "../text/render-item.js";
import { listQuestions } from "./list-questions.js";

export const input = fields({ all: optional(flag("also those that were answered or withdrawn")) });

export const verb = planVerb({
  name: "question.list",
  command: { words: "question list", group: "decide", aliases: [{ words: "escalations" }] },
  summary: "List the questions that wait for you, the oldest first",
  description: "Each question shows its options, the recommended one, when it expires, and what waits for it.",
  who: "both",
  effect: "reads",
  lists: "escalation",
  phrases: [
    "questions",
    "open questions",
    "what do you need from me",
    "what needs me",
    "whats waiting",
    "what's waiting",
    "what is waiting",
  ],
  tools: [{ tool: "find", action: "questions", fields: ["all"], pages: "" }],
  input,
  examples: [{ input: {}, does: "lists what is open, and how to answer" }],
  run: listQuestions,
  text: (found, style) =>
    found.length === 0
      ? style.dim("No open questions.")
      : found.map((asked) => renderEscalation(asked, style)).join("\n\n"),
  next: (found) => {
    const first = found.find(({ state }) => state === "open");
    return first ? [answerStep(first.id, first.recommended)] : [];
  },
});
