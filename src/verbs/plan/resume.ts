import { givenSettings } from "../../planning/run/request.js";
import { resumeRun } from "../../planning/run/resume.js";
import { runResult } from "../../planning/run/view.js";
import { fields, key, optional, planVerb } from "../kit/verb.js";
import { decideOnPlan, oneServer, planningHooks, RUN_OPTIONS, RUN_VIEW } from "./run-text.js";

export const input = fields({
  run: optional(key("run", "a planning run; the latest unfinished one unless given", "RUN")),
  ...RUN_OPTIONS,
}).check(oneServer);

export const verb = planVerb({
  command: { words: "plan resume", group: "plan", positional: ["run"] },
  summary: "Continue a planning run, with other limits if you give any",
  effect: "runs",
  hints: ["continue", "resume"],
  tools: [{ tool: "plan", action: "resume", fields: ["run"] }],
  input,
  examples: [
    { input: {}, does: "continues the latest unfinished run" },
    { input: { run: "RUN-001", timeoutMinutes: 60 }, does: "gives each role call an hour" },
  ],
  run: async (session, { run: reference, ...options }) => {
    const planning = await (await session.engines()).planning();
    return runResult(await resumeRun(planning, reference, givenSettings(options), planningHooks(session)));
  },
  ...RUN_VIEW,
  after: (run, asked) => decideOnPlan(run, asked),
});
