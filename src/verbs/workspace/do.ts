import { fields, text } from "../kit/schema.js";
import { spellWords } from "../kit/spell.js";
import { planVerb } from "../kit/verb.js";
import { route as routeWords } from "../router/route.js";

export const input = fields({ words: text("what to do", "WORDS") });

export const verb = planVerb({
  name: "route",
  command: { words: "do", group: "tool", positional: ["words"] },
  summary: "Do what some words ask for",
  description:
    "Words that begin with a command are that command. Other words are searched for what they ask: a verb, and a node by its id or title. Two verbs are a question back, and words that are not understood run nothing. What one undo cannot take back is run only after a yes. After `must do:` the words must be a command.",
  who: "both",
  effect: "reads",
  routes: true,
  tools: [{ tool: "do", fields: ["words"] }],
  input,
  examples: [
    { input: { words: "let's expand FEAT-001 into stories" }, does: "expands the feature" },
    { input: { words: "what's next" }, does: "claims the next task" },
  ],
  run: (session, { words }) => routeWords(session, words),
  flags: { "dry-run": "only show the command that the words mean" },
  text: ({ words }) => spellWords(words),
});
