import { rankLessons } from "../../model/item/lesson.js";

import { type Context, fields, filled, type Infer, linesOr, ok, planVerb, step } from "../kit/verb.js";
import { renderLesson, toLessonView } from "./list.js";

export const input = fields({ text: filled("the words to look for") });

export const verb = planVerb({
  command: { words: "lesson search", group: "record", positional: ["text"], aliases: ["memory search"] },
  summary: "Find lessons, the most relevant first",
  effect: "reads",
  tools: [{ tool: "find", action: "lessons", fields: ["text"], pages: "" }],
  input,
  examples: [{ input: { text: "rate limit" }, does: "lists the lessons about it" }],
  run: searchLessons,
  text: linesOr("No lesson is about that.", renderLesson),
  next: (found) => (found.length === 0 ? [step("lesson.list")] : []),
});

const MAX_SHOWN = 20;

export function searchLessons(context: Context, { text }: Infer<typeof input>) {
  return context.store.read(async (reader) => {
    const hits = rankLessons({ text, scope: null }, await reader.items("lesson", { state: "kept" }));
    const views = hits.slice(0, MAX_SHOWN).map(async ({ key, lesson: fields, score }) => {
      const view = await toLessonView(reader, { key, fields });
      return { ...view, score: Math.round(score * 1000) / 1000 };
    });
    return ok(await Promise.all(views));
  });
}
