import { rankMemories } from "../../model/item/memory.js";
import { step } from "../../model/next-step.js";
import { ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { fields, filled } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { type MemoryView, renderMemory, toMemoryView } from "./list.js";

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

interface FoundMemory extends MemoryView {
  /** The greater, the more it is about what was asked. */
  readonly score: number;
}

/** The most relevant first. */
export function searchMemories(context: Context, { text }: { readonly text: string }): Promise<Result<FoundMemory[]>> {
  return context.store.read(async (reader) => {
    const hits = rankMemories({ text, scope: null }, await reader.items("memory", { state: "kept" }));
    const found: FoundMemory[] = [];
    for (const { key, memory, score } of hits.slice(0, FOUND)) {
      const view = await toMemoryView(reader, { key, fields: memory });
      found.push({ ...view, score: Math.round(score * 1000) / 1000 });
    }
    return ok(found);
  });
}

/** More lessons than fit on a screen. */
const FOUND = 20;
