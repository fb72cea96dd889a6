import { changeItem } from "../../model/item/item.js";
import { type Context, type Infer, planVerb } from "../kit/verb.js";
import { changeLessons, lessonsInput } from "./list.js";

export const input = lessonsInput;

export const verb = planVerb({
  command: { words: "lesson forget", group: "record", positional: ["ids"], aliases: ["memory forget"] },
  summary: "Leave lessons out of prompts and bundles from now on",
  effect: "writes",
  destructive: true,
  input,
  examples: [{ input: { ids: ["MEM-001"] }, does: "forgets one lesson" }],
  run: forgetLesson,
  text: ({ forgotten }, style) => `${style.dim("−")} forgotten: ${forgotten.join(", ")}`,
});

export function forgetLesson(context: Context, { ids }: Infer<typeof input>) {
  return changeLessons(context, ids, (items) => {
    const forgotten = items.map(({ key }) => key);
    const changes = items.flatMap((item) => changeItem(item, { state: "forgotten" }));
    return { sentence: `${context.actor} forgot ${forgotten.join(", ")}`, changes, value: { forgotten } };
  });
}
