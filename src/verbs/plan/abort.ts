import { abortRun } from "../../planning/run/resume.js";
import { spell } from "../kit/spell.js";
import { fields, planVerb, step } from "../kit/verb.js";
import { abortedText, runKey } from "./run-text.js";

export const input = fields({ run: runKey });

export const verb = planVerb({
  command: { words: "plan abort", group: "plan", positional: ["run"] },
  summary: "End a planning run; what it made can still be read",
  effect: "writes",
  destructive: true,
  tools: [{ tool: "plan", action: "abort", fields: ["run"] }],
  input,
  examples: [{ input: { run: "RUN-001" }, does: "ends the run and withdraws its open questions" }],
  run: async (session, { run }) => abortRun(await (await session.engines()).planning(), run),
  text: abortedText,
  note: ({ id }) => `To begin again from its tasks: ${spell(step("plan.start", { source: id, from: "tasks" }))}`,
  next: ({ id }) => [step("plan.show", { run: id })],
});
