import { move as moveNodes } from "../../../actions/node/move.js";
import { ok, usage } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { notes, staleNote, undoNote } from "../render-change.js";

export const move: Command = {
  name: "move",
  aliases: ["mv"],
  group: "making",
  summary: "Put nodes below another parent",
  description: [
    "The parent must be of a higher tier. What a node contains goes with it. Below a frozen parent it waits too, and in the inbox",
    "nothing runs. The place is part of what was approved, so a person looks again before moved work runs.",
  ].join("\n"),
  arguments: [{ name: "REF", help: "a node", many: true, reference: true }],
  flags: { to: { type: "string", value: "REF", help: "the node that will contain them (needed)" } },
  examples: [
    { run: "planwright move TASK-00007 TASK-00008 --to STORY-0002", does: "moves two tasks into a story" },
    { run: "planwright move STORY-0002 --to INBOX", does: "shelves a story with its tasks" },
  ],
  run: async (input, app) => {
    const to = input.text("to");
    if (to === undefined) {
      return usage("usage", "planwright move needs --to REF.", { hint: "`planwright move --help` shows how." });
    }
    const result = await moveNodes(await app.open(), { references: input.args, to });
    if (!result.ok) return result;
    const { op, moved, stale } = result.value;
    return ok({
      data: result.value,
      text: (style) =>
        op === null
          ? style.dim(`Already below ${result.value.to}; nothing was changed.`)
          : moved.map((id) => `${style.yellow("→")} ${style.bold(id)}  below ${result.value.to}`).join("\n"),
      note: () => notes(staleNote(stale), undoNote(op)),
    });
  },
};
