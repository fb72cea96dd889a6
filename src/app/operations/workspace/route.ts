// Words to an operation.

import { operation } from "../../operation.js";
import { route as routeWords } from "../../router/route.js";
import { input, text } from "../../schema.js";

const route = operation({
  name: "route",
  summary: "Do what some words ask for",
  description:
    "Words that begin with a command are that command. Other words are searched for what they ask: a verb, and a node by its id or title. Two verbs are a question back, and words that are not understood run nothing. What one undo cannot take back is run only after a yes. After `must do:` the words must be a command.",
  who: "both",
  effect: "reads",
  input: () => input({ words: text("what to do", "WORDS") }),
  examples: [
    { input: { words: "let's expand FEAT-001 into stories" }, does: "expands the feature" },
    { input: { words: "what's next" }, does: "claims the next task" },
  ],
  run: (session, { words }) => routeWords(session, words),
});

export const routeOperations = { route };
