import { unsubscribe as endSubscription } from "../../../actions/news/unsubscribe.js";
import { ok, usage } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { lineOf } from "../ids.js";
import { optional } from "../input.js";
import { undoNote } from "../render-change.js";

export const unsubscribe: Command = {
  name: "unsubscribe",
  group: "looking",
  summary: "No longer be told",
  description: "Ends a subscription of your own. What happened until now and was not told yet is not told any more.",
  arguments: [
    { name: "REF", help: "a node or a key such as SUB-001; without it the workspace", optional: true, reference: true },
  ],
  flags: { all: { type: "boolean", help: "all that you have" } },
  examples: [
    { run: "planwright unsubscribe FEAT-001", does: "ends the one of that feature" },
    { run: "planwright unsubscribe --all", does: "ends all that you have" },
  ],
  run: async (input, app) => {
    const [reference] = input.args;
    const all = input.has("all");
    if (all && reference !== undefined) return usage("usage", "A REF and --all cannot be given together.");
    const ended = await endSubscription(await app.open(), { ...optional("reference", reference), all });
    if (!ended.ok) return ended;
    const names = ended.value.ended.map(({ id, target }) => `${id} (${target ?? "workspace"})`);
    return ok({
      data: ended.value,
      text: () => lineOf("ended", names).join("\n"),
      note: () => undoNote(ended.value.op),
    });
  },
};
