import { type Assignment, next as claimNext, peek } from "../../../actions/claim/next.js";
import { ok } from "../../../app/vocabulary.js";
import { leaseFlag } from "../claim-flags.js";
import type { Answer, Command } from "../command.js";
import { optional } from "../input.js";
import { renderAssignment, renderNode } from "../render-node.js";

export const next: Command = {
  name: "next",
  group: "working",
  summary: "Claim the most urgent task that is ready",
  description:
    "Claims it for you with a lease, and puts it in focus. A person's focus is looked at first, then the whole plan. Keep the token: it is what proves that the claim is yours.",
  flags: {
    peek: { type: "boolean", help: "only show what would come, claim nothing" },
    count: { type: "number", min: 1, max: 1000, whole: true, help: "claim up to N tasks" },
    in: { type: "string", value: "REF", help: "only below this node" },
    lease: leaseFlag,
  },
  examples: [
    { run: "planwright next", does: "claims one task and shows it with its token" },
    { run: "planwright next --peek --json", does: "what an agent would get, as JSON" },
    { run: "planwright next --in FEAT-001 --count 3", does: "up to three tasks of one feature" },
  ],
  run: async (input, app) => {
    const context = await app.open();
    const count = input.number("count");
    const asked = {
      ...optional("within", input.text("in")),
      ...optional("count", count),
      ...optional("leaseMinutes", input.number("lease")),
    };
    if (input.has("peek")) {
      const found = await peek(context, asked);
      if (!found.ok) return found;
      const views = found.value;
      const data = count === undefined ? { task: views[0] } : views.map((task) => ({ task }));
      return ok({ data, text: (style) => views.map((view) => renderNode(view, style)).join("\n\n") });
    }
    const claimed = await claimNext(context, asked);
    return claimed.ok ? ok(answer(claimed.value, count !== undefined)) : claimed;
  },
};

function answer(assignments: readonly Assignment[], several: boolean): Answer {
  const [first] = assignments as [Assignment];
  return {
    data: several ? assignments : first,
    text: (style) => assignments.map((assignment) => renderAssignment(assignment, style)).join("\n\n"),
    note: () => `When it is done: planwright complete ${first.task.id} --token ${first.token}`,
  };
}
