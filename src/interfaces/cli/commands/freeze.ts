import { freeze as freezeNodes } from "../../../actions/branch/freeze.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { endedLine, lineOf, wayBack } from "../ids.js";
import { optional } from "../input.js";
import { harmless } from "../style.js";

export const freeze: Command = {
  name: "freeze",
  group: "deciding",
  summary: "Stop a node and everything below it, with a reason",
  description:
    "What is settled is not touched, and what was frozen before keeps its own reason. Whoever works on a task in it loses the claim.",
  arguments: [{ name: "REF", help: "a node; its descendants are frozen with it", many: true, reference: true }],
  flags: { reason: { type: "string", value: "TEXT", help: "why; it is shown wherever the status is" } },
  examples: [{ run: 'planwright freeze STORY-0001 --reason "the API is changing"', does: "stops the story" }],
  run: async (input, app) => {
    const frozen = await freezeNodes(await app.open(), {
      references: input.args,
      ...optional("reason", input.text("reason")),
    });
    if (!frozen.ok) return frozen;
    const { op, reason, frozen: ids, released } = frozen.value;
    return ok({
      data: frozen.value,
      text: (style) =>
        [
          ...lineOf(`${style.cyan("❄")} frozen`, ids),
          `  ${style.dim("reason")} ${harmless(reason)}`,
          ...endedLine(released),
        ].join("\n"),
      note: () => `planwright thaw ${ids[0] as string}   lets it go on. ${wayBack(op)}`,
    });
  },
};
