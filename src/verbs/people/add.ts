import { step } from "../../model/next-step.js";
import type { Result } from "../../model/result.js";
import { fields, filled, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import type { AddedPerson } from "./list.js";

export const input = fields({
  key: filled("their key, which begins with pwk_", "KEY"),
  name: optional(filled("who they are; you, unless given", "NAME")),
});

export const verb = planVerb({
  name: "people.add",
  command: { words: "people add", group: "tool", positional: ["key"] },
  summary: "Let somebody else approve in this plan",
  description:
    "Takes the key that people prints where their secret is: a colleague, or you on another machine or in CI. It is signed with your secret, so only somebody whom the plan knows can add another person.",
  who: "person",
  effect: "writes",
  input,
  examples: [
    {
      input: { key: "pwk_3fa1c29e5b7d8846_Qm9vayBvZiBlYXN5IHdvcmRzIGZvciBodW1hbnM", name: "grace" },
      does: "lets Grace approve, too",
    },
  ],
  run: async (session, asked): Promise<Result<AddedPerson>> => (await import("./list.js")).addPerson(session, asked),
  text: ({ name, id }, style) => `${style.green("✓")} What ${name} (${id}) approves runs from now on`,
  next: () => [step("people.list")],
});
