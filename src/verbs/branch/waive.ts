import { fields, filled, nodes } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { endedLine, lineOf, undoStep } from "../text/ids.js";

export const input = fields({
  references: nodes("a task, or a node whose open tasks are waived"),
  reason: filled("why it is not needed; kept in the log"),
});

export const verb = planVerb({
  name: "waive",
  command: { words: "waive", group: "decide", positional: ["references"] },
  summary: "Decide that work is not needed",
  description:
    "A waived task counts as done for everything that waits for it. In a feature or story, everything open is waived.",
  who: "person",
  effect: "writes",
  unsuggested: true,
  tools: [{ tool: "decide", action: "waive", fields: ["references", "reason"] }],
  input,
  examples: [
    {
      input: { references: ["TASK-00007"], reason: "the library does it" },
      does: "lets the rest of the plan continue",
    },
  ],
  run: async (session, asked) => (await import("./waive-action.js")).waive(session, asked),
  text: ({ waived, notPlanned, endedClaims }, style) =>
    [
      ...lineOf(`${style.green("~")} waived`, waived),
      ...lineOf("  no longer to be planned again", notPlanned),
      ...endedLine(endedClaims),
    ].join("\n"),
  next: ({ op }) => undoStep(op),
});
