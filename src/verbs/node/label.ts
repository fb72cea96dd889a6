import * as z from "zod/mini";
import { labelProblem } from "../../model/item/comment.js";
import { fields, judged, list, nodes, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { undoStep } from "../text/ids.js";
import { label as labelNodes } from "./label-action.js";

const oneLabel = z.string().check(judged(labelProblem));

export const input = fields({
  references: nodes("a node"),
  add: optional(list(oneLabel, "a label to add", "LABEL")),
  remove: optional(list(oneLabel, "a label to remove", "LABEL")),
}).check(z.refine((given) => Object.keys(given).length > 1, "needs a label to add or to remove"));

export const verb = planVerb({
  name: "label",
  command: { words: "label", group: "plan", positional: ["references"] },
  summary: "Add labels to nodes, or remove them",
  description: "Labels sort nodes. They are not part of what was approved.",
  who: "both",
  effect: "writes",
  input,
  examples: [
    { input: { references: ["TASK-00007", "TASK-00008"], add: ["ui"] }, does: "labels two tasks" },
    { input: { references: ["TASK-00007"], remove: ["ui"] }, does: "removes a label" },
  ],
  run: labelNodes,
  text: ({ op, nodes }, style) =>
    op === null
      ? style.dim("Nothing was changed.")
      : nodes.map(({ id, labels }) => `${style.bold(id)}  ${labels.join(", ") || style.dim("no labels")}`).join("\n"),
  next: ({ op }) => undoStep(op),
});
