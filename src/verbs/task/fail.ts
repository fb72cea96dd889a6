import { step } from "../../model/next-step.js";
import { FAILURE_CLASSES } from "../../model/node/node.js";
import { token } from "../claim/claim-shared.js";
import { fields, filled, node, optional, text } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";

export const input = fields({
  reference: node("the task"),
  reason: filled("what went wrong"),
  class: optional(text(`${FAILURE_CLASSES.join(", ")}; any other word counts as other`, "WORD")),
  token: token(),
});

export const verb = planVerb({
  name: "fail",
  command: { words: "fail", group: "work", positional: ["reference"] },
  summary: "Give up on a task that you claimed, with a reason",
  description: "The task is rejected. Tasks that depend on it wait until you reset it.",
  who: "both",
  effect: "writes",
  destructive: true,
  endsClaim: true,
  tools: [{ tool: "give_up", action: "fail", fields: ["reference", "reason", "class"] }],
  input,
  examples: [
    {
      input: { reference: "TASK-00007", reason: "the API has no such field", class: "design", token: "5f0c2a" },
      does: "rejects the task",
    },
  ],
  run: async (session, asked) => (await import("./fail-action.js")).failTask(session, asked),
  text: ({ id, class: word }, style) => `${style.red("!")} ${style.bold(id)} is rejected (${word})`,
  next: ({ id }) => [step("reset", { references: [id] }), step("next")],
});
