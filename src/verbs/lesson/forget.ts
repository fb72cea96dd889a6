import { changeItem } from "../../model/item/item.js";
import { ok, type Result } from "../../model/result.js";
import { act, type Context } from "../../plan/base/context.js";
import { planVerb } from "../kit/verb.js";
import { undoStep } from "../text/after-change.js";
import { findKept, lessonsInput } from "./list.js";

interface Forgotten {
  readonly op: number | null;
  readonly forgotten: readonly string[];
}

export const input = lessonsInput;

export const verb = planVerb({
  name: "lesson.forget",
  command: { words: "lesson forget", group: "record", positional: ["ids"], aliases: [{ words: "memory forget" }] },
  summary: "Leave lessons out of prompts and bundles from now on",
  who: "both",
  effect: "writes",
  destructive: true,
  input,
  examples: [{ input: { ids: ["MEM-001"] }, does: "forgets one lesson" }],
  run: forgetLesson,
  text: ({ forgotten }, style) => `${style.dim("−")} forgotten: ${forgotten.join(", ")}`,
  next: ({ op }) => undoStep(op),
});

export async function forgetLesson(
  context: Context,
  { ids }: { readonly ids: readonly string[] },
): Promise<Result<Forgotten>> {
  const committed = await act(context, "memory", async (writer) => {
    const items = await findKept(writer, ids);
    if (!items.ok) return items;
    const keys = items.value.map(({ key }) => key);
    const changes = items.value.flatMap((item) => changeItem(item, { state: "forgotten" }));
    return ok({ sentence: `${context.actor} forgot ${keys.join(", ")}`, changes, value: keys });
  });
  return committed.ok ? ok({ op: committed.value.op, forgotten: committed.value.value }) : committed;
}
