import { waive as waiveBranch } from "../../../actions/branch/waive.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { endedLine, lineOf, wayBack } from "../ids.js";
import { requiredText } from "../required.js";

export const waive: Command = {
  name: "waive",
  group: "deciding",
  summary: "Decide that something need not be done",
  description:
    "A person's verb. A waived task counts as met wherever somebody waits for it, as if it were done. Of a feature or story, everything open in it is waived.",
  arguments: [{ name: "REF", help: "a task, or a node whose open tasks are waived", reference: true }],
  flags: { reason: { type: "string", value: "TEXT", help: "why it is not needed; needed" } },
  examples: [{ run: 'planwright waive TASK-00007 --reason "the library does it"', does: "lets the rest go on" }],
  run: async (input, app) => {
    const reason = requiredText(waive, input, "reason");
    if (!reason.ok) return reason;
    const done = await waiveBranch(await app.open(), { reference: input.args[0] as string, reason: reason.value });
    if (!done.ok) return done;
    const { op, waived, endedClaims } = done.value;
    return ok({
      data: done.value,
      text: (style) => [...lineOf(`${style.green("~")} waived`, waived), ...endedLine(endedClaims)].join("\n"),
      note: () => wayBack(op),
    });
  },
};
