import { reset as resetTask, type WasReset } from "../../../actions/claim/reset.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { optional } from "../input.js";
import { notes } from "../render-change.js";

/** The plan is put back, not the code. */
const stays = ({ stays: commit }: WasReset): string =>
  commit === null
    ? ""
    : `What it did stays on its feature's branch (${commit.slice(0, 10)}), and is done again on top of that; git revert takes it away.`;

export const reset: Command = {
  name: "reset",
  group: "working",
  summary: "Put a rejected task back into the queue",
  description:
    "Also for work that was handed in and should be done again, and for a task that was frozen because its leases kept running out. An agent may do so only if no person rejected the task and it has a budget of attempts (budgets.attempts) that is not spent. A person can open what is done, waived or dropped again, with a reason. Open questions about the task are taken back.",
  arguments: [{ name: "REF", help: "the task", reference: true }],
  flags: { reason: { type: "string", value: "TEXT", help: "why; needed for what was settled" } },
  examples: [{ run: "planwright reset TASK-00007", does: "makes it claimable again" }],
  run: async (input, app) => {
    const done = await resetTask(await app.open(), {
      reference: input.args[0] as string,
      ...optional("reason", input.text("reason")),
    });
    if (!done.ok) return done;
    return ok({
      data: done.value,
      text: (style) => `${style.bold(done.value.id)} is open again`,
      note: () =>
        notes(
          done.value.withdrawn.length === 0 ? "" : `Nobody has to answer ${done.value.withdrawn.join(", ")} any more.`,
          stays(done.value),
          `planwright why ${done.value.id}   says how it stands now`,
        ),
    });
  },
};
