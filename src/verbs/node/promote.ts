import { step } from "../../model/next-step.js";
import { fields, filled, node, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { undoStep } from "../text/ids.js";
import { promote as promoteNote } from "./promote-action.js";

export const input = fields({
  note: filled("what was found out", "NOTE"),
  from: optional(node("the task where it was found")),
  to: optional(node("a node that contains the task")),
});

export const verb = planVerb({
  name: "promote",
  command: { words: "promote", group: "decide", positional: ["note"], flags: { from: "in" } },
  summary: "Add a discovery to a node above your task",
  description:
    "The discovery comes from the task in focus unless you name another. It is added two levels above the task unless you name a node.",
  who: "both",
  effect: "writes",
  phrases: ["promote", "surface", "bubble up", "elevate", "discovery", "insight up"],
  tools: [{ tool: "edit", action: "promote", fields: ["note", "from", "to"] }],
  input,
  examples: [
    { input: { note: "the token expires after 5 minutes" }, does: "adds the discovery to the feature of your task" },
  ],
  run: promoteNote,
  text: ({ note, from, to }, style) => `${style.green("↑")} ${style.bold(to)}  from ${from}: ${harmless(note)}`,
  next: ({ to, op }) => [step("show", { reference: to }), ...undoStep(op)],
});
