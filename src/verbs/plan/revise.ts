import { reviseRun } from "../../planning/run/resume.js";
import { runResult } from "../../planning/run/view.js";
import { fields, filled, planVerb } from "../kit/verb.js";
import { decideOnPlan, planningHooks, RUN_VIEW, runKey } from "./run-text.js";

export const input = fields({ run: runKey, note: filled("what should be different") });

export const verb = planVerb({
  command: { words: "plan revise", group: "plan", positional: ["run"] },
  summary: "Ask the author of a run for changes to its plan",
  effect: "runs",
  hints: ["rework"],
  tools: [{ tool: "plan", action: "revise", fields: ["run", "note"] }],
  input,
  examples: [{ input: { run: "RUN-001", note: "smaller tasks" }, does: "sends your words to the author" }],
  run: async (session, asked) => {
    const planning = await (await session.engines()).planning();
    return runResult(await reviseRun(planning, asked, planningHooks(session)));
  },
  ...RUN_VIEW,
  after: (run, asked) => decideOnPlan(run, asked),
});
