import * as z from "zod/mini";
import { step } from "../../model/next-step.js";
import { fields, flag, node, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { renderNode } from "../text/render-node.js";
import { readFocus, setFocus } from "./focus-action.js";

export const input = fields({
  reference: optional(node("the node to focus on")),
  clear: optional(flag("clear the focus")),
}).check(
  z.refine(({ reference, clear }) => reference === undefined || !clear, {
    error: "cannot be combined with a node",
    path: ["clear"],
  }),
);

export const verb = planVerb({
  name: "focus",
  command: { words: "focus", group: "plan", positional: ["reference"] },
  summary: "Show or set where you are working",
  description:
    "Every actor has a focus. A person's next task comes from there first, and --active, --story and --feature stand for it and for what is around it.",
  who: "both",
  effect: "writes",
  tools: [{ tool: "claim", action: "focus", fields: ["reference", "clear"] }],
  input,
  examples: [
    { input: { reference: "FEAT-001" }, does: "focuses on a feature" },
    { input: {}, does: "shows the focus" },
  ],
  run: (session, { reference, clear }) => {
    if (clear) return setFocus(session, null);
    return reference === undefined ? readFocus(session) : setFocus(session, reference);
  },
  text: ({ node }, style) => (node ? renderNode(node, style) : style.dim("Nothing is in focus.")),
  next: ({ node }) => (node ? [] : [step("focus", {}, "reference"), step("next")]),
});
