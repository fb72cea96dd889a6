import type { Command } from "../command.js";
import { answerRecord, recordFlags } from "../record-answer.js";

export const constrain: Command = {
  name: "constrain",
  group: "deciding",
  summary: "Propose what every plan must keep to",
  description: [
    "A constraint binds once a person has approved it. What is forbidden is checked by the program: `approve` refuses a task",
    "that touches such a file or says such words. In a pattern * stays in one folder, ** crosses folders; a pattern without a",
    "slash matches in every folder, and a folder stands for everything in it.",
  ].join("\n"),
  arguments: [{ name: "TEXT", help: "what must hold", many: true }],
  flags: {
    ...recordFlags,
    "forbid-file": { type: "string", multiple: true, value: "GLOB", help: "no task may touch a file like this" },
    "forbid-words": { type: "string", multiple: true, value: "WORDS", help: "no task may say or run this" },
  },
  examples: [
    {
      run: 'planwright constrain "The old parser stays as it is" --forbid-file "src/legacy/**"',
      does: "no task may touch what is in there",
    },
    {
      run: 'planwright constrain "No new dependencies" --forbid-words "npm install" --for FEAT-001',
      does: "in one feature no task may say or run it",
    },
  ],
  run: (input, app) =>
    answerRecord(input, app, "constraint", {
      forbids: { files: input.list("forbid-file"), words: input.list("forbid-words") },
    }),
};
