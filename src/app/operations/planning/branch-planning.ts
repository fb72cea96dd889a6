// Operations that plan, or judge the plan of, one branch.

import { replan as dropForReplan, type Replanned } from "../../../actions/branch/replan.js";
import { ok, type Result } from "../../../model/result.js";
import { type PlanningRunView, runResult } from "../../../planning/driver/view.js";
import { LINT_LEVELS } from "../../../planning/lint/finding.js";
import { lintPlan, type PlanLint } from "../../../planning/lint/lint-graph.js";
import { startRun } from "../../../planning/runs/drive-run.js";
import { type Outlook, previewPlanningRun } from "../../../planning/runs/read-runs.js";
import { isAuthorHere, nodeRequest } from "../../../planning/runs/request.js";
import { operation } from "../../operation.js";
import { oneServer, planningHooks, RUN_OPTIONS } from "../../run-options.js";
import { choice, filled, flag, input, node, optional } from "../../schema.js";
import type { WithBaseChecks } from "./base-checks.js";

const runChecksFirst = optional(flag("also run the checks before the work, and warn of those that pass already"));

const expand = operation({
  name: "expand",
  summary: "Plan what belongs below an initiative, feature or story",
  description:
    "An initiative gets features, a feature stories and tasks, a story tasks. Expanding only adds: where the node has children already, the run revises them, and you confirm everything that it would drop. Nothing is added before you apply or approve the run.",
  who: "both",
  effect: "runs",
  input: () =>
    input({
      reference: node("an initiative, a feature or a story"),
      dryRun: optional(flag("only say what would be planned, and by which agents")),
      ...RUN_OPTIONS,
    }).check(oneServer),
  examples: [{ input: { reference: "FEAT-001" }, does: "plans the stories and tasks of the feature" }],
  run: async (session, { dryRun, ...wish }): Promise<Result<PlanningRunView | Outlook>> => {
    const { planning } = await session.engines();
    const request = await nodeRequest(planning, wish);
    if (!request.ok) return request;
    const adding = { ...request.value, addsOnly: true };
    if (dryRun === true) return previewPlanningRun(planning, adding);
    return runResult(await startRun(planning, adding, planningHooks(session)));
  },
});

export interface ReplannedBranch extends Replanned {
  /** The run that plans it again, if an agent is configured as author. */
  readonly run: PlanningRunView | null;
}

const replan = operation({
  name: "replan",
  summary: "Drop what is not finished below a node and plan it again",
  description:
    "What is done or waived stays, and so does the land task of the feature. What stays is not finished before it has a new plan or you drop the rest, so its feature cannot land before that. Every replan counts against the node's budget (budgets.replans, or the setting for its tier). Missions and tasks are not replanned. Where an agent is configured as author, a planning run for the node follows. An agent may replan only where no person approved what would be dropped.",
  who: "both",
  effect: "runs",
  destructive: true,
  input: () =>
    input({
      reference: node("an initiative, a feature or a story"),
      reason: filled("why the plan did not work"),
      noPlan: optional(flag("stop after the drop")),
      ...RUN_OPTIONS,
    }).check(oneServer),
  examples: [
    { input: { reference: "STORY-0001", reason: "the parser cannot stream" }, does: "drops its open tasks" },
    { input: { reference: "FEAT-001", reason: "too large", noPlan: true }, does: "drops, and plans nothing" },
  ],
  run: async (session, { noPlan, reason, ...wish }): Promise<Result<ReplannedBranch>> => {
    const { reference } = wish;
    const dropped = await dropForReplan(session, { reference, reason });
    if (!dropped.ok) return dropped;
    const { planning } = await session.engines();
    const isPlanned = noPlan !== true && (await isAuthorHere(planning, wish.serve ?? wish.agent ?? null));
    if (!isPlanned) return ok({ ...dropped.value, run: null });
    const note = `The plan before did not work: ${reason}`;
    const request = await nodeRequest(planning, { ...wish, note });
    const planned = request.ok ? await startRun(planning, request.value, planningHooks(session)) : request;
    return planned.ok ? ok({ ...dropped.value, run: planned.value }) : planned;
  },
});

const review = operation({
  name: "review",
  summary: "Review the plan below a node again after you edited it",
  description:
    "Checks the form of the plan, and lets the critic and the overviewer judge it if an agent is configured for them. It changes nothing.",
  who: "both",
  effect: "runs",
  input: () =>
    input({
      reference: node("the node to review, with everything below it"),
      checks: runChecksFirst,
      ...RUN_OPTIONS,
    }).check(oneServer),
  examples: [
    { input: { reference: "FEAT-001" }, does: "says whether the feature's plan still holds" },
    { input: { reference: "FEAT-001", checks: true }, does: "also says which checks pass before any work" },
  ],
  run: async (session, { checks, ...wish }): Promise<Result<PlanningRunView & WithBaseChecks>> => {
    const { planning } = await session.engines();
    const request = await nodeRequest(planning, { ...wish, mode: "review" });
    if (!request.ok) return request;
    const reviewed = runResult(await startRun(planning, request.value, planningHooks(session)));
    if (checks !== true) return reviewed;
    const { withBaseChecks } = await import("./base-checks.js");
    return withBaseChecks(session, wish.reference, reviewed);
  },
});

const lint = operation({
  name: "lint",
  summary: "Check the plan for problems",
  description:
    "Checks every invariant of the plan. Approvals whose content has changed since are warnings. Then it judges the plan's form: tasks without a check, checks that cannot run here, footprints that overlap, records that are contradicted. docs/reference/lint-codes.md lists every code. With checks it also runs the checks of open tasks, in a clean worktree of the commit that the work begins from; commands that nobody approved run only if you see them and say yes.",
  who: "both",
  effect: "runs",
  input: () =>
    input({
      reference: optional(node("only this node and everything below it")),
      level: optional(choice(LINT_LEVELS, "lenient: errors; normal: also warnings; strict: also remarks (normal)")),
      fix: optional(flag("fix what is mechanical, as one operation")),
      checks: runChecksFirst,
    }),
  examples: [
    { input: {}, does: "checks everything" },
    { input: { level: "strict", fix: true }, does: "fixes what is mechanical and shows the rest" },
    { input: { reference: "FEAT-001" }, does: "checks one feature" },
    { input: { reference: "FEAT-001", checks: true }, does: "also says which checks pass before any work" },
  ],
  run: async (session, { checks, ...asked }): Promise<Result<PlanLint & WithBaseChecks>> => {
    const linted = await lintPlan((await session.engines()).planning, asked);
    if (checks !== true) return linted;
    const { withBaseChecks } = await import("./base-checks.js");
    return withBaseChecks(session, asked.reference, linted);
  },
});

export const branchPlanningOperations = { expand, replan, review, lint };
