import { allOf, fields, key } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { undoStep } from "../text/ids.js";
import { forgetLesson } from "./list.js";

export const input = fields({ ids: allOf(key("memory", "a lesson, such as MEM-001", "ID")) });

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
