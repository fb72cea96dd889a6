import { undo as takeBack, undoable } from "../../../actions/history/undo.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { harmless } from "../style.js";

export const undo: Command = {
  name: "undo",
  group: "deciding",
  summary: "Take an operation back, whole",
  description:
    "Without an argument it is the latest one; with a node, the latest that touched it. It is refused, with the list, when something else has happened to the same nodes since. It changes the plan only, never code. What was claimed before is claimed again only while the lease lasts and nobody else has claimed it. Heartbeats and leases that ended are not taken back. An agent may take back only what it did itself, and no work that it handed in or gave up.",
  arguments: [{ name: "REF|OP", help: "a node, or the number of an operation", optional: true, reference: true }],
  flags: { list: { type: "boolean", help: "only show what could be taken back" } },
  examples: [
    { run: "planwright undo", does: "takes the latest operation back" },
    { run: "planwright undo STORY-0001", does: "the latest that touched the story, with all that it did" },
    { run: "planwright undo --list", does: "shows what could be taken back" },
  ],
  run: async (input, app) => {
    const context = await app.open();
    const [target] = input.args;
    if (input.has("list")) {
      const found = await undoable(context, target);
      if (!found.ok) return found;
      return ok({
        data: found.value,
        text: (style) =>
          found.value
            .map(
              ({ op, at, sentence }) =>
                `${style.bold(String(op).padStart(5))}  ${style.dim(at)}  ${harmless(sentence)}`,
            )
            .join("\n"),
        note: () => (found.value.length === 0 ? "There is nothing to take back." : ""),
      });
    }
    const done = await takeBack(context, target);
    if (!done.ok) return done;
    const { of, sentence, turnable } = done.value;
    return ok({
      data: done.value,
      text: (style) => `${style.yellow("↶")} took back operation ${of}: ${harmless(sentence)}`,
      note: () => (turnable ? `To do it again: planwright redo ${of}` : ""),
    });
  },
};
