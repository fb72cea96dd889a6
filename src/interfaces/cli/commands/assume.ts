import type { Command } from "../command.js";
import { answerRecord, recordFlags } from "../record-answer.js";

export const assume: Command = {
  name: "assume",
  group: "deciding",
  summary: "Write down what is taken for granted",
  description: "An assumption holds at once, and goes into every prompt and bundle, until another takes its place.",
  arguments: [{ name: "TEXT", help: "what is assumed", many: true }],
  flags: recordFlags,
  examples: [
    { run: 'planwright assume "Users have Node 20 or newer"', does: "everybody who plans or works will know" },
  ],
  run: (input, app) => answerRecord(input, app, "assumption"),
};
