import { fields, filled, lineOf, nodes, optional, planVerb, spoken, step, undoStep } from "../kit/verb.js";

export const input = fields({
  references: nodes("a task"),
  reason: optional(filled("why; needed for what is done, waived or dropped")),
});

export const verb = planVerb({
  command: { words: "reset", group: "decide", positional: ["references"] },
  summary: "Put rejected tasks back into the queue",
  description:
    "Also reopens work that was handed in, and a task that was frozen because its leases kept ending. An agent may reset only what no person rejected, and only while the task has a budget of attempts that is not spent. You can also reopen what is done, waived or dropped, with a reason. Open questions about the tasks are withdrawn.",
  effect: "writes",
  destructive: true,
  phrases: spoken("reset, retry, try … again, give … another try, give … another go, try … once more"),
  tools: [{ tool: "edit", action: "reset", fields: ["references", "reason"] }],
  input,
  examples: [{ input: { references: ["TASK-00007"] }, does: "makes it claimable again" }],
  run: async (session, asked) => (await import("../../plan/claim/settle-tasks.js")).reset(session, asked),
  text: ({ tasks }, style) => tasks.map(({ id }) => `${style.bold(id)} is open again`),
  note: ({ tasks }) => [
    ...lineOf(
      "No longer need an answer",
      tasks.flatMap(({ withdrawn }) => withdrawn),
    ),
    ...tasks.map(
      ({ id, stays }) => stays && `The earlier work of ${id} stays on its feature's branch (${stays.slice(0, 10)}).`,
    ),
  ],
  next: ({ tasks, op }) => [...tasks.slice(0, 1).map(({ id }) => step("why", { reference: id })), ...undoStep(op)],
});
