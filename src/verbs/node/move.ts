import { fields, node, nodes } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { undoStep } from "../text/ids.js";
import { move as moveNodes } from "./move-action.js";
import { approveAgain, staleNote } from "./node-text.js";

export const input = fields({ references: nodes("a node"), to: node("the node that will contain them") });

export const verb = planVerb({
  name: "move",
  command: { words: "move", group: "plan", positional: ["references"], aliases: [{ words: "mv" }] },
  summary: "Put nodes below another parent",
  description:
    "The parent must be of a higher tier. Everything below a node moves with it. Below a frozen parent it is frozen too, and in the inbox nothing runs. The parent is part of what was approved, so a person approves moved work again.",
  who: "both",
  effect: "writes",
  tools: [{ tool: "edit", action: "move", fields: ["references", "to"] }],
  input,
  examples: [
    { input: { references: ["TASK-00007", "TASK-00008"], to: "STORY-0002" }, does: "moves two tasks into a story" },
    { input: { references: ["STORY-0002"], to: "INBOX" }, does: "puts a story with its tasks back into the inbox" },
  ],
  run: moveNodes,
  text: ({ op, moved, to }, style) =>
    op === null
      ? style.dim(`Already below ${to}; nothing was changed.`)
      : moved.map((id) => `${style.yellow("→")} ${style.bold(id)}  below ${to}`).join("\n"),
  note: ({ stale }) => staleNote(stale.length > 0),
  next: ({ op, stale }) => [...approveAgain(stale), ...undoStep(op)],
});
