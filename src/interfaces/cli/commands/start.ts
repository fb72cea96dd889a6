import { start as startTask } from "../../../actions/claim/start.js";
import { ok } from "../../../app/vocabulary.js";
import { despiteFlag, leaseFlag } from "../claim-flags.js";
import type { Command } from "../command.js";
import { optional } from "../input.js";
import { renderAssignment } from "../render-node.js";

export const start: Command = {
  name: "start",
  group: "working",
  summary: "Claim one task by its name",
  description: "Like next, for a task that you choose. It is refused, with the reason, when the task is not ready.",
  arguments: [{ name: "REF", help: "the task", reference: true }],
  flags: {
    lease: leaseFlag,
    despite: despiteFlag,
  },
  examples: [
    { run: "planwright start TASK-00007", does: "claims it and puts it in focus" },
    {
      run: 'planwright start TASK-00008 --despite "we split the file between us"',
      does: "claims it although work in progress touches the same files",
    },
  ],
  run: async (input, app) => {
    const started = await startTask(await app.open(), {
      reference: input.args[0] as string,
      ...optional("leaseMinutes", input.number("lease")),
      ...optional("despite", input.text("despite")),
    });
    if (!started.ok) return started;
    const { task, token } = started.value;
    return ok({
      data: started.value,
      text: (style) =>
        `${renderAssignment(started.value, style)}\n  ${style.dim("attempt".padEnd(11))}${task.attempts}`,
      note: () => `When it is done: planwright complete ${task.id} --token ${token}`,
    });
  },
};
