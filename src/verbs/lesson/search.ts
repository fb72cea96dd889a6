import { rankLessons } from "../../model/item/lesson.js";
import { step } from "../../model/next-step.js";
import { ok } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { fields, filled } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { linesOr } from "../text/wording.js";
import { type MemoryView, renderMemory, toMemoryView } from "./list.js";

export const input = fields({ text: filled("the words to look for") });

export const verb = planVerb({
  command: { words: "lesson search", group: "record", positional: ["text"], aliases: [{ words: "memory search" }] },
  summary: "Find lessons, the most relevant first",
  effect: "reads",
  tools: [{ tool: "find", action: "lessons", fields: ["text"], pages: "" }],
  input,
  examples: [{ input: { text: "rate limit" }, does: "lists the lessons about it" }],
  run: searchMemories,
  text: linesOr("No lesson is about that.", renderMemory),
  next: (found) => (found.length === 0 ? [step("lesson.list")] : []),
});

/** The most relevant first, which has the greatest score. */
export function searchMemories(context: Context, { text }: { readonly text: string }) {
  return context.store.read(async (reader) => {
    const hits = rankLessons({ text, scope: null }, await reader.items("memory", { state: "kept" }));
    const found: (MemoryView & { score: number })[] = [];
    for (const { key, lesson, score } of hits.slice(0, FOUND)) {
      const view = await toMemoryView(reader, { key, fields: lesson });
      found.push({ ...view, score: Math.round(score * 1000) / 1000 });
    }
    return ok(found);
  });
}

/** More lessons than fit on a screen. */
const FOUND = 20;
