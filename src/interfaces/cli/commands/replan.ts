import { replan as replanBranch } from "../../../actions/replan.js";
import { ok } from "../../../actions/vocabulary.js";
import type { Command } from "../command.js";
import { endedLine, lineOf, wayBack } from "../ids.js";
import { requiredText } from "../required.js";

export const replan: Command = {
  name: "replan",
  group: "deciding",
  summary: "Make room for another plan below a node",
  description:
    "Drops what is not finished below it; what is done or waived stays, and so does the land task of the feature. Every replan counts against the node's budget (budgets.replans, or the setting for its tier). Missions and tasks are not replanned. An agent may replan only where no person approved what would go.",
  arguments: [{ name: "REF", help: "an initiative, a feature or a story", reference: true }],
  flags: { reason: { type: "string", value: "TEXT", help: "why the plan did not work; needed" } },
  examples: [{ run: 'planwright replan STORY-0001 --reason "the parser cannot stream"', does: "drops its open tasks" }],
  run: async (input, app) => {
    const reason = requiredText(replan, input, "reason");
    if (!reason.ok) return reason;
    const done = await replanBranch(await app.open(), { reference: input.args[0] as string, reason: reason.value });
    if (!done.ok) return done;
    const { op, id, dropped, endedClaims, replans } = done.value;
    return ok({
      data: done.value,
      text: (style) =>
        [
          `${style.yellow("↻")} ${style.bold(id)} can be planned anew (${replans.used} of ${replans.of})`,
          ...lineOf(`${style.dim("−")} dropped`, dropped),
          ...endedLine(endedClaims),
        ].join("\n"),
      note: () => `planwright add TITLE --parent ${id}   adds to the new plan. ${wayBack(op)}`,
    });
  },
};
