import { isPerson } from "../../model/actor.js";
import { createItem } from "../../model/item/item.js";
import type { Lesson } from "../../model/item/lesson.js";
import { itemKey } from "../../model/item-key.js";
import { keywordsOf } from "../../model/words.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { featureOf } from "../../plan/base/resolve.js";
import { fields, filled, type Infer, list, node, ok, optional, planVerb, step, undoStep } from "../kit/verb.js";
import { listed, renderLesson, toLessonView } from "./list.js";

export const input = fields({
  text: filled("the lesson"),
  keywords: optional(list(filled(""), "a word that finds it; taken from the text unless given", "WORD")),
  in: optional(node("the feature that it is about, or a node in it")),
});

export const verb = planVerb({
  command: { words: "lesson add", group: "record", positional: ["text"], aliases: ["memory add"] },
  summary: "Keep a lesson for later plans and tasks",
  description:
    "What an agent adds is a proposal until you approve it. Lessons go into the prompts and bundles of work that they are about, within a limit of tokens. Archiving a feature keeps what was learnt in it.",
  effect: "writes",
  tools: [{ tool: "record", action: "lesson", fields: ["text"] }],
  input,
  examples: [{ input: { text: "The API allows 10 calls a second", keywords: ["api"] }, does: "keeps a lesson" }],
  run: remember,
  text: ({ isNew, lesson }, style) =>
    isNew ? renderLesson(lesson, style) : style.dim(`${lesson.id} says that already.`),
  next: ({ lesson, op }) => [
    ...(lesson.state === "proposed" ? [step("lesson.approve", { ids: [lesson.id] })] : []),
    ...undoStep(op),
  ],
});

export function remember(context: Context, asked: Infer<typeof input>) {
  const { text } = asked;
  return actWithNumber(context, "lesson", async (writer, at) => {
    const scope = asked.in === undefined ? ok(null) : await featureOf(writer, context, asked.in);
    if (!scope.ok) return scope;
    const owner = scope.value === null ? "" : String(scope.value);
    const known = await listed(writer, owner);
    const twin = known.find(({ fields }) => fields.text === text);
    if (twin)
      return ok({ sentence: "", changes: [], value: { isNew: false, lesson: await toLessonView(writer, twin) } });
    const key = itemKey("MEM", await writer.number("MEM"));
    const keywords = asked.keywords?.length ? asked.keywords : keywordsOf(text, KEYWORDS);
    const fields: Lesson = {
      state: isPerson(context.actor) ? "kept" : "proposed",
      text,
      keywords,
      scope: scope.value,
      source: isPerson(context.actor) ? "person" : "agent",
      createdAt: at,
      createdBy: context.actor,
    };
    const value = { isNew: true, lesson: await toLessonView(writer, { key, fields }) };
    const sentence = `${context.actor} noted ${key}: ${text}`;
    return ok({ sentence, changes: [createItem("lesson", key, fields)], value });
  });
}

const KEYWORDS = 12;
