import { withArticle } from "../../model/words.js";
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
    "expand, decompose, break down, break up, break … down, break … up, break … into, drill down, " +
      "drill down into, drill into, split into stories, split into tasks, split in stories, split in tasks, " +
      "split up, split … up, split … into, split … in, divide … into, turn … into tasks, turn … into stories, " +
      "flesh out, flesh … out, detail, work out the tasks for, work out the tasks of, work out the stories for, " +
      "work out the stories of, make tasks for, make stories for, create tasks for, create stories for, " +
      "create the tasks for, create the stories for, break … apart, slice … into, generate tasks for, " +
      "generate stories for, write tasks for, write the tasks for, come up with tasks for",
  ),
  emptyWords: "smaller small single pieces parts steps more detail",
  tools: [{ tool: "plan", action: "expand", fields: ["reference"] }],
  input,
  examples: [{ input: { reference: "FEAT-001" }, does: "plans the stories and tasks of the feature" }],
  run: async (session, { dryRun, ...wish }): Promise<Result<PlanningRunView | Outlook>> => {
    const planning = await (await session.engines()).planning();
    const request = await nodeRequest(planning, wish);
    if (!request.ok) return request;
    const adding = { ...request.value, addsOnly: true };
    if (dryRun === true) return previewPlanningRun(planning, adding);
    return runResult(await startRun(planning, adding, planningHooks(session)));
  },
  ...RUN_VIEW,
  text: (output, style) =>
    "below" in output
      ? `${output.node} is ${withArticle(output.tier ?? "node")}: it would get ${output.below}.${output.mode === "revise" ? " It has children, so they would be revised." : ""}`
      : RUN_VIEW.text(output, style),
  note: (output) => ("below" in output ? Object.entries(output.roles).map(([role, agent]) => `${role}: ${agent}`) : ""),
  next: (output) => ("below" in output ? [] : output.next),
});
