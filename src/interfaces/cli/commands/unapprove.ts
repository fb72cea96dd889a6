import { unapprove as withdraw } from "../../../actions/branch/unapprove.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { lineOf, wayBack } from "../ids.js";

export const unapprove: Command = {
  name: "unapprove",
  group: "deciding",
  summary: "Withdraw the approval of a node and everything below it",
  description: "A person's verb. What is settled keeps its approval; work in flight has to be given back first.",
  arguments: [
    { name: "REF", help: "a node; its descendants lose their approval with it", many: true, reference: true },
  ],
  examples: [{ run: "planwright unapprove FEAT-001", does: "nothing of the feature starts any more" }],
  run: async (input, app) => {
    const done = await withdraw(await app.open(), input.args);
    if (!done.ok) return done;
    return ok({
      data: done.value,
      text: (style) => lineOf(`${style.dim("○")} no longer approved`, done.value.unapproved).join("\n"),
      note: () => wayBack(done.value.op),
    });
  },
};
