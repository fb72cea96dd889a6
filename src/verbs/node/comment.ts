import { step } from "../../model/next-step.js";
import { fields, filled, node } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { withinLine } from "../text/harmless.js";
import { undoStep } from "../text/ids.js";
import { comment as addComment } from "./comment-action.js";

export const input = fields({ reference: node("the node"), text: filled("what you want to say") });

export const verb = planVerb({
  name: "comment",
  command: { words: "comment", group: "plan", positional: ["reference", "text"] },
  summary: "Add a comment to a node",
  description: "A comment is not part of what was approved. It can be added to a finished node too.",
  who: "both",
  effect: "writes",
  tools: [{ tool: "edit", action: "comment", fields: ["reference", "text"] }],
  input,
  examples: [
    { input: { reference: "TASK-00007", text: "The API returns 404 here" }, does: "adds a comment to the task" },
  ],
  run: addComment,
  text: ({ id, node, text }, style) => `${style.green("+")} ${style.bold(id)}  on ${node}: ${withinLine(text)}`,
  next: ({ node, op }) => [step("show", { reference: node }), ...undoStep(op)],
});
