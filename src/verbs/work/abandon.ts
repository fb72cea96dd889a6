import { planVerb } from "../kit/verb.js";
import { ended, ending, handWork } from "./hand-work.js";

export const input = ending;

export const verb = planVerb({
  command: { words: "work abandon", group: "work", positional: ["reference"] },
  summary: "Give back a task you worked on, and keep what you did",
  effect: "runs",
  input,
  examples: [{ input: { reference: "TASK-00007" }, does: "gives it back; your work is kept" }],
  run: async (session, asked) => (await handWork(session)).abandon(asked),
  ...ended,
});
