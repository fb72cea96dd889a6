import { fields, flag, nodes, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { endedLine, lineOf, undoStep } from "../text/ids.js";

export const input = fields({
  references: nodes("a frozen node; everything that was frozen with it thaws too"),
  partial: optional(flag("thaw only these nodes, not what was frozen with them")),
  drop: optional(flag("drop them instead of letting them continue")),
  grantBudget: optional(wholeNumber("allow N more replans of each node", 1, 1000)),
  force: optional(flag("thaw although files changed since, or a conflict is open")),
});

export const verb = planVerb({
  name: "thaw",
  command: { words: "thaw", group: "decide", positional: ["references"] },
  summary: "Let frozen nodes continue",
  description:
    "Nodes below that were frozen on their own stay frozen and are listed. If git shows that files of a footprint changed since the freeze, nothing thaws and they are listed, because the plan may no longer fit. A conflict that froze a node has to be decided first. An agent may thaw only what no person froze.",
  who: "both",
  effect: "writes",
  phrases: [
    "thaw",
    "unfreeze",
    "resume",
    "continue",
    "unblock",
    "unpause",
    "unpark",
    "defrost",
    "resume work on",
    "resume working on",
    "continue work on",
    "continue working on",
  ],
  hints: ["continue", "resume", "unblock"],
  tools: [{ tool: "edit", action: "thaw", fields: ["references"] }],
  input,
  examples: [
    { input: { references: ["STORY-0001"] }, does: "lets the story continue" },
    { input: { references: ["FEAT-001"], grantBudget: 1 }, does: "lets it continue and be replanned once more" },
  ],
  run: async (session, asked) => (await import("./thaw-action.js")).thaw(session, asked),
  text: ({ thawed, dropped, endedClaims, stillFrozen }, style) => {
    const gone = new Set(dropped);
    const goOn = thawed.filter((id) => !gone.has(id));
    return [
      ...lineOf(`${style.green("✓")} thawed`, goOn),
      ...lineOf(`${style.dim("−")} dropped`, dropped),
      ...endedLine(endedClaims),
      ...lineOf(`${style.cyan("❄")} still frozen for a reason of their own`, stillFrozen),
    ].join("\n");
  },
  next: ({ op }) => undoStep(op),
});
