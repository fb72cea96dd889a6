import { relayAnswer } from "../../planning/run/host.js";
import { fields, filled, harmless, key, optional, planVerb } from "../kit/verb.js";

export const input = fields({
  id: key("question", "the question, such as ESC-001", "ID"),
  option: filled("the option, or the answer in the person's own words", "OPTION"),
  note: optional(filled("what else the person said")),
});

export const verb = planVerb({
  command: { words: "plan answer", group: "agents", positional: ["id", "option"] },
  summary: "Pass on what the person answered to a clarifying question",
  description:
    "Only for clarifying questions of a run whose roles you serve: ask the person with your own question tool, and pass on exactly what they said. The plan says which agent passed an answer on. Every other question takes a person.",
  effect: "writes",
  tools: [{ tool: "plan", action: "answer", fields: ["id", "option", "note"] }],
  input,
  examples: [{ input: { id: "ESC-001", option: "English" }, does: "passes on what the person chose" }],
  run: async (session, asked) => relayAnswer(await (await session.engines()).planning(), asked),
  text: ({ id, label }, style) => `${style.green("✓")} ${id}  ${harmless(label)}`,
  next: ({ next }) => next,
});
