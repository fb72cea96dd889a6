import { accept as acceptTask } from "../../../actions/claim/accept.js";
import { ok, usage } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { integrationNote, notes, undoNote } from "../render-change.js";

export const accept: Command = {
  name: "accept",
  group: "working",
  summary: "Accept work that has no checks, or override them",
  description:
    "A person's verb, and a recorded one: the reason stays with the task. Work that an attempt left behind goes onto the feature's branch with the next `planwright run`, `daemon` or `land`; open questions about the task are taken back.",
  arguments: [{ name: "REF", help: "a task that was handed in or rejected", reference: true }],
  flags: { reason: { type: "string", value: "TEXT", help: "why it counts as done" } },
  examples: [{ run: 'planwright accept TASK-00007 --reason "read it, ran it by hand"', does: "makes it done" }],
  run: async (input, app) => {
    const reason = input.text("reason");
    if (reason === undefined || reason.trim() === "") {
      return usage("usage", "planwright accept needs --reason TEXT: an override is recorded with its reason.", {
        hint: "`planwright accept --help` shows how.",
      });
    }
    const accepted = await acceptTask(await app.open(), { reference: input.args[0] as string, reason });
    if (!accepted.ok) return accepted;
    return ok({
      data: accepted.value,
      text: (style) => `${style.green("✓")} ${style.bold(accepted.value.id)} is done: accepted`,
      note: () => notes(integrationNote(accepted.value.integrates), undoNote(accepted.value.op)),
    });
  },
};
