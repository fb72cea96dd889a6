import { step } from "../../model/next-step.js";
import { fields, filled, nodes, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { endedLine, lineOf, undoStep } from "../text/ids.js";

export const input = fields({
  references: nodes("a node; everything below it is frozen too"),
  reason: optional(filled("why; shown wherever the status is shown")),
});

export const verb = planVerb({
  name: "freeze",
  command: { words: "freeze", group: "decide", positional: ["references"] },
  summary: "Stop nodes and everything below them, with a reason",
  description:
    "Finished nodes stay as they are, and nodes that were frozen before keep their own reason. A worker who holds a task below loses the claim.",
  who: "both",
  effect: "writes",
  phrases: ["freeze", "pause", "halt", "park", "block", "stop work on", "stop working on", "put on hold"],
  hints: ["stop"],
  tools: [{ tool: "edit", action: "freeze", fields: ["references", "reason"] }],
  input,
  examples: [
    { input: { references: ["STORY-0001"], reason: "the API is changing" }, does: "stops the story and its tasks" },
  ],
  run: async (session, asked) => (await import("./freeze-action.js")).freeze(session, asked),
  text: ({ frozen, reason, released }, style) =>
    [
      ...lineOf(`${style.cyan("❄")} frozen`, frozen),
      `  ${style.dim("reason")} ${harmless(reason)}`,
      ...endedLine(released),
    ].join("\n"),
  next: ({ frozen, op }) => [step("thaw", { references: frozen.slice(0, 1) }), ...undoStep(op)],
});
