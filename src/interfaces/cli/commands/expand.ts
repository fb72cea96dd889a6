import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { runAnswer } from "../planning-answer.js";
import { baseRequest, PLANNING_FLAGS } from "../planning-input.js";
import { planningHooks } from "../planning-session.js";

export const expand: Command = {
  name: "expand",
  group: "planning",
  summary: "Plan what belongs below a node: features, stories or tasks",
  description:
    "The same loop as `plan`, for one node: an initiative gets features, a feature stories and tasks, a story tasks. Nothing is added before a person applies or approves the run.",
  arguments: [{ name: "REF", help: "an initiative, a feature or a story", reference: true }],
  flags: { ...PLANNING_FLAGS, "dry-run": { type: "boolean", help: "only say what would be planned, and by whom" } },
  examples: [{ run: "planwright expand FEAT-001", does: "plans the stories and tasks of the feature" }],
  run: async (input, app) => {
    const { planner } = await app.engines();
    const request = { ...baseRequest(input, "expand", planner.limits), node: input.args[0] as string };
    if (input.has("dry-run")) {
      const outlook = await planner.outlook(request);
      if (!outlook.ok) return outlook;
      const { node, tier, below, roles } = outlook.value;
      return ok({
        data: outlook.value,
        text: () => `${node} is a ${tier}: it would get ${below}.`,
        note: () =>
          Object.entries(roles)
            .map(([role, agent]) => `${role}: ${agent}`)
            .join("\n"),
      });
    }
    const hooks = planningHooks(app, { json: input.json });
    const planned = await planner.plan(request, hooks);
    hooks.end();
    return planned.ok ? runAnswer(planned.value) : planned;
  },
};
