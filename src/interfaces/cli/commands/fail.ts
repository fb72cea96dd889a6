import { fail as failTask, toFailureClass } from "../../../actions/claim/fail.js";
import { FAILURE_CLASSES, ok } from "../../../app/vocabulary.js";
import { tokenFlag } from "../claim-flags.js";
import type { Command } from "../command.js";
import { optional } from "../input.js";
import { requiredText } from "../required.js";

export const fail: Command = {
  name: "fail",
  group: "working",
  summary: "Give up on a claimed task, and say why",
  description: "The task parks as rejected; what depends on it waits. `reset` puts it back into the queue.",
  arguments: [{ name: "REF", help: "the task", reference: true }],
  flags: {
    reason: { type: "string", value: "TEXT", help: "what went wrong; needed" },
    class: { type: "string", value: "WORD", help: `${FAILURE_CLASSES.join(", ")}; any other word counts as other` },
    token: tokenFlag,
  },
  examples: [
    {
      run: 'planwright fail TASK-00007 --token 5f0c… --reason "the API has no such field" --class design',
      does: "parks it",
    },
  ],
  run: async (input, app) => {
    const reason = requiredText(fail, input, "reason");
    if (!reason.ok) return reason;
    const failed = await failTask(await app.open(), {
      reference: input.args[0] as string,
      reason: reason.value,
      ...optional("token", input.text("token")),
      ...optional("class", input.text("class")),
    });
    if (!failed.ok) return failed;
    const word = toFailureClass(input.text("class"));
    return ok({
      data: { ...failed.value, class: word },
      text: (style) => `${style.red("!")} ${style.bold(failed.value.id)} is parked (${word})`,
      note: () => `planwright reset ${failed.value.id}   puts it back into the queue`,
    });
  },
};
