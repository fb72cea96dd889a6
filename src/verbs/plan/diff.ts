import { diffRun } from "../../planning/run/show.js";
import { fields, planVerb, step } from "../kit/verb.js";
import { diffLines } from "../text/plan-lines.js";
import { runKey } from "./run-text.js";

export const input = fields({ run: runKey });

export const verb = planVerb({
  command: { words: "diff", when: { keys: ["RUN"] }, group: "plan", positional: ["run"], aliases: ["plan diff"] },
  summary: "Show what a planning run would add, change and drop",
  effect: "reads",
  tools: [{ tool: "find", action: "run_diff", fields: ["run"] }],
  input,
  examples: [{ input: { run: "RUN-001" }, does: "compares its plan with the plan as it is now" }],
  run: async (session, { run: reference }) => diffRun(await (await session.engines()).planning(), reference),
  text: (found, style) => diffLines(found, style),
  next: ({ run, status, next }) => (status === "ready" ? [step("approve", { references: [run] })] : next),
});
