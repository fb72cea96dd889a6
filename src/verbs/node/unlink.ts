import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { ends, needsAnEnd } from "./node-shared.js";
import { afterLink, linkLines } from "./node-text.js";
import { unlink as unlinkNode } from "./unlink-action.js";

export const input = fields(ends).check(needsAnEnd);

export const verb = planVerb({
  name: "unlink",
  command: { words: "unlink", group: "plan", positional: ["reference"] },
  summary: "Remove dependencies, files or symbols from a node",
  who: "both",
  effect: "writes",
  tools: [{ tool: "edit", action: "unlink", fields: ["reference", "on", "files"] }],
  input,
  examples: [
    { input: { reference: "TASK-00008", on: ["TASK-00007"] }, does: "TASK-00008 no longer waits for TASK-00007" },
  ],
  run: unlinkNode,
  text: (linked, style) => linkLines(linked, "-", style),
  ...afterLink,
});
