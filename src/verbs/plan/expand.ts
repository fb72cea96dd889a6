import { nodeRequest } from "../../planning/run/request.js";
import { startRun } from "../../planning/run/resume.js";
import { type Outlook, previewPlanningRun } from "../../planning/run/show.js";
import { type PlanningRunView, runResult } from "../../planning/run/view.js";
import { fields, flag, node, optional, planVerb, type Result, spoken } from "../kit/verb.js";
import { oneServer, planningHooks, RUN_OPTIONS, RUN_VIEW } from "./run-text.js";

export const input = fields({
  reference: node("an initiative, a feature or a story"),
  dryRun: optional(flag("only say what would be planned, and by which agents")),
  ...RUN_OPTIONS,
}).check(oneServer);

export const verb = planVerb({
  command: { words: "expand", group: "plan", positional: ["reference"] },
  summary: "Plan what belongs below an initiative, feature or story",
  description:
    "An initiative gets features, a feature stories and tasks, a story tasks. Expanding only adds: where the node has children already, the run revises them, and you confirm everything that it would drop. Nothing is added before you apply or approve the run.",
  effect: "runs",
  phrases: spoken(
    "expand, decompose, break down, break up, drill down, drill into, split into stories, split into tasks, " +
      "split in stories, split in tasks, split up, flesh out",
  ),
  tools: [{ tool: "plan", action: "expand", fields: ["reference"] }],
  input,
  examples: [{ input: { reference: "FEAT-001" }, does: "plans the stories and tasks of the feature" }],
  run: async (session, { dryRun, ...wish }): Promise<Result<PlanningRunView | Outlook>> => {
    const { planning } = await session.engines();
    const request = await nodeRequest(planning, wish);
    if (!request.ok) return request;
    const adding = { ...request.value, addsOnly: true };
    if (dryRun === true) return previewPlanningRun(planning, adding);
    return runResult(await startRun(planning, adding, planningHooks(session)));
  },
  ...RUN_VIEW,
  text: (output, style) =>
    "below" in output
      ? `${output.node} is a ${output.tier}: it would get ${output.below}.${output.mode === "revise" ? " It has children, so they would be revised." : ""}`
      : RUN_VIEW.text(output, style),
  note: (output) => ("below" in output ? Object.entries(output.roles).map(([role, agent]) => `${role}: ${agent}`) : ""),
  next: (output) => ("below" in output ? [] : output.next),
});
