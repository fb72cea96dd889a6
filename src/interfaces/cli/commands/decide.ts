import type { Command } from "../command.js";
import { optional } from "../input.js";
import { answerRecord, recordFlags } from "../record-answer.js";

export const decide: Command = {
  name: "decide",
  group: "deciding",
  summary: "Write down what was decided, and why",
  description:
    "A decision holds at once, for the workspace or for one feature, and goes into every prompt and bundle there. `records supersede` puts another in its place.",
  arguments: [{ name: "TITLE", help: "what was decided", many: true }],
  flags: {
    ...recordFlags,
    because: { type: "string", value: "TEXT", help: "why this and nothing else" },
    alternative: { type: "string", multiple: true, value: "TEXT", help: "what was not chosen" },
  },
  examples: [
    {
      run: 'planwright decide "Use SQLite" --because "one file, nothing to install" --alternative PostgreSQL',
      does: "holds for the whole workspace, with what was not chosen",
    },
    { run: 'planwright decide "Parse by hand" --for FEAT-001 --task TASK-00007', does: "holds in one feature" },
  ],
  run: (input, app) =>
    answerRecord(input, app, "decision", {
      alternatives: input.list("alternative"),
      ...optional("because", input.text("because")),
    }),
};
