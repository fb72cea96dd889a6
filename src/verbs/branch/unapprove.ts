import { fields, nodes } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { lineOf, undoStep } from "../text/ids.js";

export const input = fields({ references: nodes("a node; everything below it loses its approval too") });

export const verb = planVerb({
  name: "unapprove",
  command: { words: "unapprove", group: "decide", positional: ["references"] },
  summary: "Withdraw the approval of nodes and everything below them",
  description: "Finished nodes keep their approval. Release a claimed task first.",
  who: "person",
  effect: "writes",
  unsuggested: true,
  input,
  examples: [{ input: { references: ["FEAT-001"] }, does: "stops more of the feature from starting" }],
  run: async (session, asked) => (await import("./unapprove-action.js")).unapprove(session, asked),
  text: ({ unapproved }, style) => lineOf(`${style.dim("○")} no longer approved`, unapproved).join("\n"),
  next: ({ op }) => undoStep(op),
});
