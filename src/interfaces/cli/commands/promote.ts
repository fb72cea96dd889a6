import { promote as promoteNote } from "../../../actions/node/promote.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { optional } from "../input.js";
import { harmless } from "../style.js";

export const promote: Command = {
  name: "promote",
  group: "deciding",
  summary: "Carry a discovery up to where others will read it",
  description: "Without --from it comes from the task in focus; without --to it goes two steps up. It only goes up.",
  arguments: [{ name: "NOTE", help: "what was found out" }],
  flags: {
    from: { type: "string", value: "REF", help: "where it was found" },
    to: { type: "string", value: "REF", help: "a node that contains it" },
  },
  examples: [{ run: 'planwright promote "the token expires after 5 minutes"', does: "tells the whole feature" }],
  run: async (input, app) => {
    const promoted = await promoteNote(await app.open(), {
      note: input.args[0] as string,
      ...optional("from", input.text("from")),
      ...optional("to", input.text("to")),
    });
    if (!promoted.ok) return promoted;
    const { note, from, to } = promoted.value;
    return ok({
      data: promoted.value,
      text: (style) => `${style.green("↑")} ${style.bold(to)} now knows from ${from}: ${harmless(note)}`,
      note: () => `planwright show ${to}   shows all that was found`,
    });
  },
};
