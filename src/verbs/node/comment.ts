import { createItem } from "../../model/item/item.js";
import { itemKey } from "../../model/item-key.js";
import { actWithNumber, fields, filled, node, ok, planVerb, resolve, step, undoStep, withinLine } from "../kit/verb.js";

export const input = fields({ reference: node("the node"), text: filled("what you want to say") });

export const verb = planVerb({
  command: { words: "comment", group: "plan", positional: ["reference", "text"] },
  summary: "Add a comment to a node",
  description: "A comment is not part of what was approved. It can be added to a finished node too.",
  effect: "writes",
  tools: [{ tool: "edit", action: "comment", fields: ["reference", "text"] }],
  input,
  examples: [
    { input: { reference: "TASK-00007", text: "The API returns 404 here" }, does: "adds a comment to the task" },
  ],
  run: (session, { reference, text }) =>
    actWithNumber(session, "comment", async (writer, at) => {
      const { actor } = session;
      const node = await resolve(writer, reference, session);
      if (!node.ok) return node;
      const key = itemKey("COM", await writer.number("COM"));
      const fields = { state: "kept", node: node.value.nr, text, createdAt: at, createdBy: actor } as const;
      const value = { id: key, node: node.value.id, text };
      const sentence = `${actor} commented on ${value.node}: ${text}`;
      return ok({ sentence, changes: [createItem("comment", key, fields)], value });
    }),
  text: ({ id, node, text }, style) => `${style.green("+")} ${style.bold(id)}  on ${node}: ${withinLine(text)}`,
  next: ({ node, op }) => [step("show", { reference: node }), ...undoStep(op)],
});
