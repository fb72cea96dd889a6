// Views of lessons.

import { step } from "../../../app/vocabulary.js";
import { undoStep } from "../ids.js";
import { renderMemory } from "../render-item.js";
import type { ViewOf } from "../view.js";

export const lessons: ViewOf<"memory.list"> = {
  text: (found, style) =>
    found.length === 0 ? style.dim("No lessons.") : found.map((lesson) => renderMemory(lesson, style)).join("\n"),
  next: (found) => (found.length === 0 ? [step("memory.add", {}, "text")] : []),
};

export const add: ViewOf<"memory.add"> = {
  text: ({ isNew, memory }, style) =>
    isNew ? renderMemory(memory, style) : style.dim(`${memory.id} says that already.`),
  next: ({ op }) => undoStep(op),
};

export const search: ViewOf<"memory.search"> = {
  text: (found, style) => found.map((lesson) => renderMemory(lesson, style)).join("\n"),
};

export const forget: ViewOf<"memory.forget"> = {
  text: ({ forgotten }, style) => `${style.dim("−")} forgotten: ${forgotten.join(", ")}`,
  next: ({ op }) => undoStep(op),
};
