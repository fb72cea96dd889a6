import { fields, node } from "../kit/schema.js";
import { spell } from "../kit/spell.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { verbs as listVerbs } from "./verbs-action.js";

export const input = fields({ reference: node("the node") });

export const verb = planVerb({
  name: "verbs",
  command: { words: "verbs", group: "look", positional: ["reference"] },
  summary: "List what you can do with a node, and why not",
  description: "Every verb with its command. What would be refused now says why. Nothing is done.",
  who: "both",
  effect: "reads",
  input,
  examples: [
    {
      input: { reference: "TASK-00003" },
      does: "shows which verbs the task takes now, and what keeps it from the others",
    },
  ],
  run: (session, { reference }) => listVerbs(session, reference),
  text: (found, style) =>
    found.verbs
      .flatMap(({ next, refused }) => next.map((each) => ({ each, refused })))
      .map(({ each, refused }) =>
        refused === null ? `  ${style.cyan(spell(each))}` : style.dim(`  ${each.operation}: ${harmless(refused)}`),
      )
      .join("\n"),
});
