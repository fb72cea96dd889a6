import type { Command } from "../command.js";
import { runAnswer } from "../planning-answer.js";
import { baseRequest, PLANNING_FLAGS } from "../planning-input.js";
import { planningHooks } from "../planning-session.js";

export const review: Command = {
  name: "review",
  group: "planning",
  summary: "Verify a plan anew, after it was edited by hand",
  description:
    "Lints the branch and has it judged by the critic and the overviewer, as far as somebody serves those roles. It changes nothing. Exits with 0 when the plan passes, 1 when something was found.",
  arguments: [{ name: "REF", help: "the branch to look at", reference: true }],
  flags: PLANNING_FLAGS,
  examples: [{ run: "planwright review FEAT-001", does: "says whether the feature's plan still holds" }],
  run: async (input, app) => {
    const { planner } = await app.engines();
    const hooks = planningHooks(app, { json: input.json });
    const request = { ...baseRequest(input, "review", planner.limits), node: input.args[0] as string };
    const reviewed = await planner.plan(request, hooks);
    hooks.end();
    return reviewed.ok ? runAnswer(reviewed.value) : reviewed;
  },
};
