import { FAILURE_CLASSES, type FailureClass } from "../../model/node/node.js";
import { giveUp } from "../../model/rules/task-outcome.js";
import { settleTasks } from "../../plan/claim/settle-tasks.js";
import { requireHeld } from "../../plan/claim/token.js";
import { type Context, fields, filled, type Infer, node, ok, optional, planVerb, step, text } from "../kit/verb.js";
import { token } from "./claim-parts.js";

export const input = fields({
  reference: node("the task"),
  reason: filled("what went wrong"),
  class: optional(text(`${FAILURE_CLASSES.join(", ")}; any other word counts as other`, "WORD")),
  token: token(),
});

export const verb = planVerb({
  command: { words: "fail", group: "work", positional: ["reference"] },
  summary: "Give up on a task that you claimed, with a reason",
  description: "The task is rejected. Tasks that depend on it wait until you reset it.",
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
  run: failTask,
  text: ({ id, class: word }, style) => `${style.red("!")} ${style.bold(id)} is rejected (${word})`,
  next: ({ id }) => [step("reset", { references: [id] }), step("next")],
});

/** A worker that reports a failure is never refused for its choice of word. */
const toFailureClass = (word: string | undefined): FailureClass =>
  FAILURE_CLASSES.find((known) => known === word) ?? "other";

export async function failTask(context: Context, { reference, token, reason, class: word }: Infer<typeof input>) {
  const failure = { class: toFailureClass(word), reason };
  const settled = await settleTasks(context, "fail", [reference], reason, async (node, settling) => {
    const claim = requireHeld(context, node, token);
    return claim.ok ? ok({ patch: giveUp(claim.value, settling, failure), details: {} }) : claim;
  });
  if (!settled.ok) return settled;
  const { op, tasks } = settled.value;
  return ok({ op, id: tasks[0]?.id ?? reference, class: failure.class });
}
