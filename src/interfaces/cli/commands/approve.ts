import { approve as approveNodes } from "../../../actions/branch/approve.js";
import { ok, usage } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { optional } from "../input.js";

export const approve: Command = {
  name: "approve",
  group: "deciding",
  summary: "Clear a node and everything below it to run",
  description:
    "A person's verb. The approval is bound to the content: an edit afterwards makes it stale. What is in the inbox can only be approved while it is moved out, with --to. A planning run (RUN-001) that is ready is added to the plan and approved as one operation. What contradicts an active constraint, or a feature that leaves out a requirement, is refused unless --despite gives a reason.",
  arguments: [{ name: "REF", help: "a node, with its descendants; or a planning run", many: true, reference: true }],
  flags: {
    to: { type: "string", value: "REF", help: "move the nodes below this one first, in the same operation" },
    despite: {
      type: "string",
      value: "REASON",
      help: "approve what contradicts a record all the same; it is recorded",
    },
  },
  examples: [
    { run: "planwright approve RUN-001", does: "adds the plan of the run and clears it to run" },
    { run: "planwright approve FEAT-001", does: "approves the feature, its stories and its tasks" },
    { run: "planwright approve TASK-00007 --to FEAT-001", does: "takes a task out of the inbox and approves it" },
    { run: 'planwright approve FEAT-001 --despite "the old code goes in May"', does: "although a record forbids it" },
  ],
  run: async (input, app) => {
    const [first = "", ...others] = input.args;
    if (others.length === 0 && /^run-\d+$/i.test(first)) {
      const { appliedAnswer } = await import("../planning-answer.js");
      const applied = await (await app.engines()).planner.apply(first, true, input.text("despite"));
      return applied.ok ? appliedAnswer(applied.value) : applied;
    }
    const record = input.args.find((word) => /^(?:con|req|dec|asm)-\d+$/i.test(word));
    if (record !== undefined) {
      return usage("is-record", `${record} is a record, not a node.`, { hint: `planwright records approve ${record}` });
    }
    const result = await approveNodes(await app.open(), {
      references: input.args,
      ...optional("to", input.text("to")),
      ...optional("despite", input.text("despite")),
    });
    if (!result.ok) return result;
    const { approved, despite } = result.value;
    return ok({
      data: result.value,
      text: (style) =>
        approved.length === 0
          ? style.dim("All of it was approved already.")
          : `${style.green("✓")} approved ${approved.length} ${approved.length === 1 ? "node" : "nodes"}${despite.length > 0 ? `, despite ${despite.join(", ")}` : ""}`,
      note: () => "planwright next   claims the first task that is ready",
    });
  },
};
