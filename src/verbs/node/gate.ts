import { step } from "../../model/next-step.js";
import * as content from "../kit/content.js";
import { fields, flag, nodes, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { undoStep } from "../text/ids.js";
import { gate as addGate } from "./gate-action.js";
import { approveAgain, staleNote } from "./node-text.js";

export const input = fields({
  title: content.title("what the person has to do"),
  before: nodes("a task that waits for it"),
  body: optional(content.body()),
  approve: optional(flag("approve the tasks in the same operation")),
});

export const verb = planVerb({
  name: "gate",
  command: { words: "gate", group: "plan", positional: ["title"], flags: { before: "on" } },
  summary: "Block work until a manual step is done",
  description:
    "A gate is something that only a person can do: sign a contract, create an account, decide. The tasks behind it can be claimed as soon as a person completes it. A gate that a person adds is approved at once, and tasks that were approved stay approved.",
  who: "both",
  effect: "writes",
  tools: [{ tool: "edit", action: "gate", fields: ["title", "before", "body"] }],
  input,
  examples: [
    { input: { title: "Get an API key", before: ["TASK-00007"] }, does: "TASK-00007 waits until a person has the key" },
    {
      input: { title: "Sign the contract", before: ["TASK-00007", "TASK-00008"], approve: true },
      does: "both tasks run as soon as it is signed",
    },
  ],
  run: addGate,
  text: ({ id, before }, style) => `${style.green("+")} ${style.bold(id)}  before ${before.join(", ")}`,
  note: ({ stale }) => staleNote(stale.length > 0),
  next: ({ op, id, approved, stale }) => [
    ...approveAgain(stale),
    approved.includes(id) ? step("complete", { reference: id }) : step("approve", { references: [id] }),
    ...undoStep(op),
  ],
});
