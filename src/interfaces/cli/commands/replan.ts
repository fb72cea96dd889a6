import { replan as replanBranch } from "../../../actions/branch/replan.js";
import { ok, type Result } from "../../../app/vocabulary.js";
import type { RunView } from "../../../planning/driver/view.js";
import type { App, Command, Input } from "../command.js";
import { endedLine, lineOf, wayBack } from "../ids.js";
import { baseRequest, PLANNING_FLAGS } from "../planning-input.js";
import { planningHooks } from "../planning-session.js";
import { runLines } from "../render-planning.js";
import { requiredText } from "../required.js";

export const replan: Command = {
  name: "replan",
  group: "deciding",
  summary: "Make room for another plan below a node",
  description:
    "Drops what is not finished below it; what is done or waived stays, and so does the land task of the feature. Every replan counts against the node's budget (budgets.replans, or the setting for its tier). Missions and tasks are not replanned. Where an agent serves the author, a planning run for the node follows, unless --no-plan. An agent may replan only where no person approved what would go.",
  arguments: [{ name: "REF", help: "an initiative, a feature or a story", reference: true }],
  flags: {
    reason: { type: "string", value: "TEXT", help: "why the plan did not work; needed" },
    "no-plan": { type: "boolean", help: "only make room, also where an agent could write the new plan" },
    ...PLANNING_FLAGS,
  },
  examples: [{ run: 'planwright replan STORY-0001 --reason "the parser cannot stream"', does: "drops its open tasks" }],
  run: async (input, app) => {
    const reason = requiredText(replan, input, "reason");
    if (!reason.ok) return reason;
    const done = await replanBranch(await app.open(), { reference: input.args[0] as string, reason: reason.value });
    if (!done.ok) return done;
    const { op, id, dropped, endedClaims, replans } = done.value;
    const planned = input.has("no-plan") ? undefined : await planAnew(input, app, id, reason.value);
    if (planned && !planned.ok) return planned;
    return ok({
      data: { ...done.value, run: planned?.value ?? null },
      text: (style) =>
        [
          `${style.yellow("↻")} ${style.bold(id)} can be planned anew (${replans.used} of ${replans.of})`,
          ...lineOf(`${style.dim("−")} dropped`, dropped),
          ...endedLine(endedClaims),
          ...(planned ? runLines(planned.value, style) : []),
        ].join("\n"),
      note: () =>
        planned
          ? `${planned.value.next}\n${wayBack(op)}`
          : `planwright add TITLE --parent ${id}   adds to the new plan. ${wayBack(op)}`,
    });
  },
};

/** Only where an agent can do better than the outline of the node's own words. */
async function planAnew(input: Input, app: App, id: string, reason: string): Promise<Result<RunView> | undefined> {
  const { planner } = await app.engines();
  if (!(await planner.hasAuthor(input.text("agent") ?? null))) return undefined;
  const hooks = planningHooks(app, { json: input.json });
  const request = {
    ...baseRequest(input, "expand", planner.limits),
    node: id,
    note: `The plan before did not work: ${reason}`,
  };
  const planned = await planner.plan(request, hooks);
  hooks.end();
  return planned;
}
