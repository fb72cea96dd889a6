import { nodeRequest } from "../../planning/run/request.js";
import { startRun } from "../../planning/run/resume.js";
import { type PlanningRunView, runResult } from "../../planning/run/view.js";
import { fields, node, planVerb, type Result } from "../kit/verb.js";
import type { WithBaseChecks } from "./base-checks.js";
import { baseLines, runChecksFirst } from "./lint.js";
import { oneServer, planningHooks, RUN_OPTIONS, RUN_VIEW } from "./run-text.js";

export const input = fields({
  reference: node("the node to review, with everything below it"),
  checks: runChecksFirst,
  ...RUN_OPTIONS,
}).check(oneServer);

export const verb = planVerb({
  command: { words: "review", group: "plan", positional: ["reference"] },
  summary: "Review the plan below a node again after you edited it",
  description:
    "Checks the form of the plan, and lets the critic and the overviewer judge it if an agent is configured for them. It changes nothing.",
  effect: "runs",
  input,
  examples: [
    { input: { reference: "FEAT-001" }, does: "says whether the feature's plan still holds" },
    { input: { reference: "FEAT-001", checks: true }, does: "also says which checks pass before any work" },
  ],
  run: async (session, { checks, ...wish }): Promise<Result<PlanningRunView & WithBaseChecks>> => {
    const planning = await (await session.engines()).planning();
    const request = await nodeRequest(planning, { ...wish, mode: "review" });
    if (!request.ok) return request;
    const reviewed = runResult(await startRun(planning, request.value, planningHooks(session)));
    if (checks !== true) return reviewed;
    const { withBaseChecks } = await import("./base-checks.js");
    return withBaseChecks(session, wish.reference, reviewed);
  },
  ...RUN_VIEW,
  text: (output, style) => [RUN_VIEW.text(output, style), ...baseLines(output.base, style)],
});
