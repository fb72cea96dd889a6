import type { Result } from "../../model/result.js";
import { hostStep } from "../../planning/run/host.js";
import { fields, flag, key, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { type ReportedStep, reporting } from "./host-planning-shared.js";
import { stepText } from "./host-planning-text.js";

export const input = fields({
  run: optional(key("run", "a planning run; the latest unfinished one unless given", "RUN")),
  call: optional(key("call", "exactly this step, such as CALL-00001", "CALL")),
  fresh: optional(flag("the conversation to resume is gone: give the whole prompt")),
  brief: optional(flag("leave out the prompt and the schema")),
});

export const verb = planVerb({
  name: "plan.step",
  command: { words: "plan step", group: "plan", positional: ["run"] },
  summary: "Read the next step of a run whose roles you serve",
  description:
    "For a coding agent that plans with its own subagents (plan with serve host). It gives the role, the prompt, the schema of the answer, and whether a new subagent is asked or an earlier one goes on. Asking again gives the same step, also after the agent was killed. When the run waits for the person, it gives the questions. With brief it leaves out prompt and schema: the subagent reads them itself, with call.",
  who: "both",
  effect: "runs",
  tools: [{ tool: "plan", action: "step", fields: ["run", "call", "fresh", "brief"], whole: true }],
  input,
  examples: [
    { input: { run: "RUN-001" }, does: "gives the role to be, its prompt and the schema of its answer" },
    { input: { run: "RUN-001", brief: true }, does: "says who is asked next" },
  ],
  run: (session, asked): Promise<Result<ReportedStep>> =>
    reporting(session, async (hooks) => hostStep((await session.engines()).planning, asked, hooks)),
  text: stepText,
  next: ({ next }) => next,
});
