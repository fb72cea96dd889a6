import { isPerson } from "../../model/actor.js";
import { createItem } from "../../model/item/item.js";
import { itemKey } from "../../model/item/item-key.js";
import type { Memory } from "../../model/item/memory.js";
import { step } from "../../model/next-step.js";
import { ok, type Result } from "../../model/result.js";
import { keywordsOf } from "../../model/words.js";
import { act, type Context } from "../../plan/base/context.js";
import { featureOf } from "../../plan/record/add-record.js";
import { fields, filled, list, node, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { undoStep } from "../text/after-change.js";
import { listed, type MemoryView, renderMemory, toMemoryView } from "./list.js";

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

interface Remembered {
  readonly op: number | null;
  /** False when the same lesson was kept already. */
  readonly isNew: boolean;
  readonly memory: MemoryView;
}

export async function remember(context: Context, input: MemoryInput): Promise<Result<Remembered>> {
  const { text } = input;
  const committed = await act<Omit<Remembered, "op">>(context, "memory", async (writer, at) => {
    const scope = input.in === undefined ? ok(null) : await featureOf(writer, context, input.in);
    if (!scope.ok) return scope;
    const owner = scope.value === null ? "" : String(scope.value);
    const known = await listed(writer, owner);
    const twin = known.find(({ fields }) => fields.text === text);
    if (twin)
      return ok({ sentence: "", changes: [], value: { isNew: false, memory: await toMemoryView(writer, twin) } });
    const key = itemKey("MEM", await writer.number("MEM"));
    const keywords = input.keywords?.length ? input.keywords : keywordsOf(text, KEYWORDS);
    const fields: Memory = {
      state: isPerson(context.actor) ? "kept" : "proposed",
      text,
      keywords,
      scope: scope.value,
      source: isPerson(context.actor) ? "person" : "agent",
      createdAt: at,
      createdBy: context.actor,
    };
    const value = { isNew: true, memory: await toMemoryView(writer, { key, fields }) };
    const sentence = `${context.actor} noted ${key}: ${text}`;
    return ok({ sentence, changes: [createItem("memory", key, fields)], value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

const KEYWORDS = 12;

interface MemoryInput {
  readonly text: string;
  /** Taken from the text, unless given. */
  readonly keywords?: readonly string[];
  readonly in?: string;
}
