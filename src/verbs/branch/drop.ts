import { fields, filled, nodes, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { endedLine, lineOf, undoStep } from "../text/ids.js";

export const input = fields({
  references: nodes("a node; everything open below it is dropped too"),
  reason: optional(filled("why")),
});

export const verb = planVerb({
  name: "drop",
  command: { words: "drop", group: "decide", positional: ["references"] },
  summary: "Drop nodes and everything open below them",
  description:
    "Finished nodes stay, and so does everything that contains one. A branch that was replanned no longer waits for a new plan. A land task is dropped only with its whole feature. The inbox and BUGS are part of every plan, so only what is in them is dropped. An agent may drop only what no person approved.",
  who: "both",
  effect: "writes",
  destructive: true,
  tools: [{ tool: "edit", action: "drop", fields: ["references", "reason"] }],
  input,
  examples: [
    { input: { references: ["STORY-0002"], reason: "out of scope" }, does: "drops the story and its open tasks" },
  ],
  run: async (session, asked) => (await import("./drop-action.js")).drop(session, asked),
  text: ({ dropped, waiting, endedClaims, kept, notPlanned }, style) =>
    [
      ...lineOf(`${style.dim("−")} dropped`, dropped),
      ...lineOf("  no longer to be planned again", notPlanned),
      ...endedLine(endedClaims),
      ...lineOf("  part of every plan, so they stay", kept),
      ...lineOf(`${style.yellow("■")} cannot start now, because they depend on it`, waiting),
    ].join("\n"),
  next: ({ op }) => undoStep(op),
});
