import { redo as doAgain } from "../../../actions/history/undo.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { wayBack } from "../ids.js";
import { harmless } from "../style.js";

export const redo: Command = {
  name: "redo",
  group: "deciding",
  summary: "Do again what was taken back",
  description:
    "Without an argument it is what was taken back last, as long as nothing else was done since. A claim is not done again: `planwright start` claims anew. It is refused, with the list, when something else has happened to the same nodes since.",
  arguments: [{ name: "OP", help: "the number of the operation that was taken back", optional: true }],
  examples: [{ run: "planwright redo", does: "does again what the latest undo took back" }],
  run: async (input, app) => {
    const done = await doAgain(await app.open(), input.args[0]);
    if (!done.ok) return done;
    const { of, sentence } = done.value;
    return ok({
      data: done.value,
      text: (style) => `${style.green("↷")} did again operation ${of}: ${harmless(sentence)}`,
      note: () => wayBack(of),
    });
  },
};
