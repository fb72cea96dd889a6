import { step } from "../../model/next-step.js";
import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { renderMemory } from "../text/render-item.js";
import { memories } from "./lessons.js";

export const input = fields({});

export const verb = planVerb({
  name: "memory.list",
  command: { words: "memory list", group: "record" },
  summary: "List the lessons that are kept",
  who: "both",
  effect: "reads",
  lists: "memory",
  input,
  examples: [{ input: {}, does: "lists every lesson" }],
  run: memories,
  text: (found, style) =>
    found.length === 0 ? style.dim("No lessons.") : found.map((lesson) => renderMemory(lesson, style)).join("\n"),
  next: (found) => {
    const proposed = found.filter(({ state }) => state === "proposed").map(({ id }) => id);
    if (proposed.length > 0) return [step("memory.approve", { ids: proposed })];
    return found.length === 0 ? [step("memory.add", {}, "text")] : [];
  },
});
