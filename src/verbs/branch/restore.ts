import { fields, nodes } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { lineOf, undoStep } from "../text/wording.js";

export const input = fields({ references: nodes("an archived node") });

export const verb = planVerb({
  command: { words: "restore", group: "decide", positional: ["references"] },
  summary: "Show archived nodes again",
  description: "Any node of an archived branch stands for the whole branch.",
  effect: "writes",
  tools: [{ tool: "edit", action: "restore", fields: ["references"] }],
  input,
  examples: [{ input: { references: ["FEAT-001"] }, does: "shows the feature again" }],
  run: async (session, asked) => (await import("./archive.js")).restore(session, asked),
  text: ({ restored }, style) => lineOf(`${style.green("✓")} shown again`, restored).join("\n"),
  next: ({ op }) => undoStep(op),
});
