import * as content from "../kit/content.js";
import { fields, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { link as linkNode } from "./link-action.js";
import { ends, needsAnEnd } from "./node-shared.js";
import { afterLink, linkLines } from "./node-text.js";

export const input = fields({ ...ends, profile: optional(content.profile()) }).check(needsAnEnd);

export const verb = planVerb({
  name: "link",
  command: { words: "link", group: "plan", positional: ["reference"] },
  summary: "Add dependencies, files or symbols to a node",
  description:
    "A dependency is met when the other node is done and accepted, or waived. The kind of work follows from the files unless a profile is given.",
  who: "both",
  effect: "writes",
  tools: [{ tool: "edit", action: "link", fields: ["reference", "on", "files"] }],
  input,
  examples: [
    { input: { reference: "TASK-00008", on: ["TASK-00007"] }, does: "makes TASK-00008 wait for TASK-00007" },
    {
      input: { reference: "TASK-00008", files: ["src/config.ts"], symbols: ["parseConfig"] },
      does: "adds to its footprint",
    },
  ],
  run: linkNode,
  text: (linked, style) => linkLines(linked, "+", style),
  ...afterLink,
});
