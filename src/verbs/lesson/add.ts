import { step } from "../../model/next-step.js";
import { fields, filled, list, node, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { undoStep } from "../text/ids.js";
import { remember, renderMemory } from "./list.js";

export const input = fields({
  text: filled("the lesson"),
  keywords: optional(list(filled(""), "a word that finds it; taken from the text unless given", "WORD")),
  in: optional(node("the feature that it is about, or a node in it")),
});

export const verb = planVerb({
  name: "lesson.add",
  command: { words: "lesson add", group: "record", positional: ["text"], aliases: [{ words: "memory add" }] },
  summary: "Keep a lesson for later plans and tasks",
  description:
    "What an agent adds is a proposal until you approve it. Lessons go into the prompts and bundles of work that they are about, within a limit of tokens. Archiving a feature keeps what was learnt in it.",
  who: "both",
  effect: "writes",
  tools: [{ tool: "record", action: "lesson", fields: ["text"] }],
  input,
  examples: [{ input: { text: "The API allows 10 calls a second", keywords: ["api"] }, does: "keeps a lesson" }],
  run: remember,
  text: ({ isNew, memory }, style) =>
    isNew ? renderMemory(memory, style) : style.dim(`${memory.id} says that already.`),
  next: ({ memory, op }) => [
    ...(memory.state === "proposed" ? [step("lesson.approve", { ids: [memory.id] })] : []),
    ...undoStep(op),
  ],
});
