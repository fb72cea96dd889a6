import { changeNode } from "../../model/operation/change.js";
import { ok, type Result, type ValueOf } from "../../model/result.js";
import { dropPatch, spendReplan, toDrop, toPlanAgain } from "../../model/rules/give-up.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { branchOf, claimsOn, idsOf } from "../../plan/node/branch.js";
import { mayGiveUp } from "../../plan/node/require-person.js";
import { isAuthorHere, nodeRequest } from "../../planning/run/request.js";
import { startRun } from "../../planning/run/resume.js";
import type { PlanningRunView } from "../../planning/run/view.js";
import {
  fields,
  filled,
  flag,
  type Infer,
  node,
  optional,
  planVerb,
  resolve,
  spoken,
  step,
  undoStep,
} from "../kit/verb.js";
import { endedLine, lineOf } from "../kit/wording.js";
import { runLines } from "../text/plan-lines.js";
import { oneServer, planningHooks, planProgress, RUN_OPTIONS } from "./run-text.js";

export const input = fields({
  reference: node("an initiative, a feature or a story"),
  reason: filled("why the plan did not work"),
  noPlan: optional(flag("stop after the drop")),
  ...RUN_OPTIONS,
}).check(oneServer);

export const verb = planVerb({
  command: { words: "replan", group: "plan", positional: ["reference"] },
  summary: "Drop what is not finished below a node and plan it again",
  description:
    "What is done or waived stays, and so does the land task of the feature. What stays is not finished before it has a new plan or you drop the rest, so its feature cannot land before that. Every replan counts against the node's budget (budgets.replans, or the setting for its tier). Missions and tasks are not replanned. Where an agent is configured as author, a planning run for the node follows. An agent may replan only where no person approved what would be dropped.",
  effect: "runs",
  destructive: true,
  phrases: spoken(
    "replan, rework, rethink, redo plan, redo the plan, discard plan, discard the plan, change plan, " +
      "change the plan of, change the plan for, new plan for, throw away the plan for, throw away the plan of, " +
      "start over with, plan for … redone, revise the plan of, revise the plan for, plan … again, plan … anew, " +
      "redo … plan, redo … from scratch, plan … from scratch, update the plan for, update the plan of, " +
      "start over on, start … over, throw away the plan for … and plan again",
  ),
  emptyWords: "make again plan come up draft a needs to be",
  tools: [{ tool: "plan", action: "replan", fields: ["reference", "reason"] }],
  input,
  examples: [
    { input: { reference: "STORY-0001", reason: "the parser cannot stream" }, does: "drops its open tasks" },
    { input: { reference: "FEAT-001", reason: "too large", noPlan: true }, does: "drops, and plans nothing" },
  ],
  run: async (session, { noPlan, reason, ...wish }): Promise<Result<ReplannedBranch>> => {
    const { reference } = wish;
    const dropped = await replan(session, { reference, reason });
    if (!dropped.ok) return dropped;
    const planning = await (await session.engines()).planning();
    const isPlanned = noPlan !== true && (await isAuthorHere(planning, wish.serve ?? wish.agent ?? null));
    if (!isPlanned) return ok({ ...dropped.value, run: null });
    const note = `The plan before did not work: ${reason}`;
    const request = await nodeRequest(planning, { ...wish, note });
    const planned = request.ok ? await startRun(planning, request.value, planningHooks(session)) : request;
    return planned.ok ? ok({ ...dropped.value, run: planned.value }) : planned;
  },
  live: planProgress,
  text: ({ id, dropped, endedClaims, replans, run }, style) => [
    `${style.yellow("↻")} ${style.bold(id)} is ready to be planned again (replan ${replans.used} of at most ${replans.of})`,
    ...lineOf(`${style.dim("−")} dropped`, dropped),
    ...endedLine(endedClaims),
    ...(run ? runLines(run, style) : []),
  ],
  next: ({ id, op, run }) => [
    ...(run ? run.next : [step("expand", { reference: id }), step("add", { parent: id }, "title")]),
    ...undoStep(op),
  ],
});

/** `run`: the one that plans it again, if an agent is configured as author. */
type ReplannedBranch = ValueOf<ReturnType<typeof replan>> & { readonly run: PlanningRunView | null };

export function replan(context: Context, { reference, reason }: Pick<Infer<typeof input>, "reference" | "reason">) {
  return actWithNumber(context, "replan", async (writer, at) => {
    const root = await resolve(writer, reference, context);
    if (!root.ok) return root;
    const { id, nr } = root.value;
    const replans = spendReplan(root.value, context.settings.replans);
    if (!replans.ok) return replans;
    const branch = await branchOf(writer, root.value);
    const dropped = toDrop(branch, (node) => node.nr !== nr);
    const may = mayGiveUp(context.actor, dropped);
    if (!may.ok) return may;
    const patch = dropPatch({ by: context.actor, at, op: writer.op }, `replan: ${reason}`);
    const changes = [
      ...changeNode(root.value, { replans: replans.value.used }),
      ...dropped.flatMap((node) => changeNode(node, patch)),
      ...toPlanAgain(branch, dropped).flatMap((node) =>
        changeNode(node, { awaitsPlan: { by: context.actor, at, reason } }),
      ),
    ];
    const sentence = `${context.actor} replans ${id}: ${reason}`;
    const value = { id, dropped: idsOf(dropped), endedClaims: claimsOn(dropped), replans: replans.value };
    return ok({ sentence, changes, value });
  });
}
