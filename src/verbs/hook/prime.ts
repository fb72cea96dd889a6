import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { caller } from "./hook-shared.js";

export const input = fields(caller());

export const verb = planVerb({
  name: "prime",
  command: { words: "prime", group: "tool" },
  summary: "Tell an agent what it has to know of the plan",
  description:
    "A few lines, at most 150 tokens: what the agent has claimed, what is in focus, what waits for you, and the next step. Hooks show it when a conversation begins and after it was compacted.",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: {}, does: "prints the lines" }],
  run: async (session, asked) => (await import("./prime-lines.js")).prime(session, asked),
  text: ({ text }) => text,
});
