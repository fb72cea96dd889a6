// Operations on one task from claim to acceptance. Workers ask for them in a loop, so each action is loaded when it is asked for.

import { step } from "../../graph/next-step.js";
import { FAILURE_CLASSES } from "../../graph/node/node.js";
import { problems } from "../../graph/result.js";
import { operation } from "../operation.js";
import { filled, input, list, node, nodes, optional, text } from "../schema.js";
import { token } from "./claim.js";

const path = (help: string) => optional(list(text(""), help, "PATH"));

export const complete = operation({
  name: "complete",
  summary: "Hand in a task and let its checks decide",
  description:
    "Runs the task's checks in the current folder. When all pass, the task is done. When one fails, the task is rejected and waits until it is reset or accepted. A task without checks waits until you accept it. You complete a gate yourself, without a claim, and a land task once the main branch contains the commits of all tasks of its feature.",
  who: "both",
  effect: "runs",
  input: input({
    reference: node("the task"),
    token,
    created: path("a file that you made"),
    modified: path("a file that you changed"),
  }),
  examples: [{ input: { reference: "TASK-00007", token: "5f0c2a" }, does: "runs its checks and records the result" }],
  run: async (session, asked) => {
    const { complete: completeTask } = await import("../../actions/claim/complete.js");
    const completed = await completeTask(session, {
      ...asked,
      onCheck: (check) => session.emit({ kind: "check", check }),
    });
    if (!completed.ok || completed.value.acceptance !== "rejected") return completed;
    const { id, checks } = completed.value;
    const failed = checks.filter(({ passed }) => !passed).map(({ run }) => run);
    return problems("rejected", `${id} is rejected: ${failed.join(", ")} failed.`, {
      details: { ...completed.value },
      next: [step("show", { reference: id }), step("reset", { references: [id] })],
    });
  },
});

export const fail = operation({
  name: "fail",
  summary: "Give up on a task that you claimed, with a reason",
  description: "The task is rejected, and what depends on it waits, until somebody resets it.",
  who: "both",
  effect: "writes",
  destructive: true,
  input: input({
    reference: node("the task"),
    reason: filled("what went wrong"),
    class: optional(text(`${FAILURE_CLASSES.join(", ")}; any other word counts as other`, "WORD")),
    token,
  }),
  examples: [
    {
      input: { reference: "TASK-00007", reason: "the API has no such field", class: "design", token: "5f0c2a" },
      does: "rejects the task",
    },
  ],
  run: async (session, asked) => (await import("../../actions/claim/fail.js")).fail(session, asked),
});

export const reset = operation({
  name: "reset",
  summary: "Put rejected tasks back into the queue",
  description:
    "Also for work that was handed in and should be done again, and for a task that was frozen because its leases kept running out. An agent may reset only what no person rejected, and only while the task has a budget of attempts that is not spent. You can also reopen what is done, waived or dropped, with a reason. Open questions about the tasks are withdrawn.",
  who: "both",
  effect: "writes",
  destructive: true,
  input: input({
    references: nodes("a task"),
    reason: optional(filled("why; needed for what is done, waived or dropped")),
  }),
  examples: [{ input: { references: ["TASK-00007"] }, does: "makes it claimable again" }],
  run: async (session, asked) => (await import("../../actions/claim/reset.js")).reset(session, asked),
});

export const accept = operation({
  name: "accept",
  summary: "Accept work that has no checks, or override them",
  description:
    "The reason stays with the task. Work that an attempt left behind is merged into the feature's branch by the next run, daemon or landing. Open questions about the tasks are withdrawn.",
  who: "person",
  effect: "writes",
  input: input({
    references: nodes("a task that was handed in or rejected"),
    reason: filled("why it counts as done"),
  }),
  examples: [{ input: { references: ["TASK-00007"], reason: "read it, ran it by hand" }, does: "makes the task done" }],
  run: async (session, asked) => (await import("../../actions/claim/accept.js")).accept(session, asked),
});
