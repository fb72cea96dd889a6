import { fields, filled, node, optional, planVerb, rows } from "../kit/verb.js";
import { renderAssignment } from "../node/render-node.js";
import { claimNamed, completeStep, leaseMinutes } from "./claim-parts.js";

export const input = fields({
  reference: node("the task"),
  despite: optional(filled("why you claim it although work in progress touches the same files", "REASON")),
  leaseMinutes: leaseMinutes(),
});

export const verb = planVerb({
  command: { words: "start", hidden: true, group: "work", positional: ["reference"], flags: { leaseMinutes: "lease" } },
  summary: "Claim a task that you choose",
  description:
    "Like next, for one task. If you hold the claim already, you get it back with a new token. It is refused, with the reason, when the task is not ready. You can claim a task that overlaps with work in progress if you say why.",
  effect: "writes",
  input,
  examples: [
    { input: { reference: "TASK-00007" }, does: "claims it and puts it in focus" },
    {
      input: { reference: "TASK-00008", despite: "we split the file between us" },
      does: "claims it although work in progress touches the same files",
    },
  ],
  run: claimNamed,
  text: (assignment, style) => [
    renderAssignment(assignment, style),
    ...rows([["attempt", String(assignment.task.attempts)]], style),
  ],
  next: (assignment) => [completeStep(assignment)],
});
