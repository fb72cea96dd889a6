import { thaw as thawBranch } from "../../../actions/branch/thaw.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { endedLine, lineOf, wayBack } from "../ids.js";
import { optional } from "../input.js";

export const thaw: Command = {
  name: "thaw",
  group: "deciding",
  summary: "Let a frozen node and what was frozen with it go on",
  description:
    "What below it was frozen on its own stays frozen and is listed. When files of a footprint have changed in git since the freeze, nothing thaws and they are listed, because the plan may no longer fit; nor does what an open conflict froze (`planwright conflicts` decides it). --force goes on after you have looked. An agent may thaw only what no person froze.",
  arguments: [{ name: "REF", help: "a frozen node", reference: true }],
  flags: {
    partial: { type: "boolean", help: "this node only" },
    drop: { type: "boolean", help: "give it up instead of letting it go on" },
    "grant-budget": { type: "number", value: "N", min: 1, max: 1000, whole: true, help: "allow N more replans of it" },
    force: { type: "boolean", help: "although files changed since, or a conflict is open" },
  },
  examples: [
    { run: "planwright thaw STORY-0001", does: "lets the story go on" },
    { run: "planwright thaw FEAT-001 --grant-budget 1", does: "lets it go on and be replanned once more" },
  ],
  run: async (input, app) => {
    const thawed = await thawBranch(await app.open(), {
      reference: input.args[0] as string,
      partial: input.has("partial"),
      drop: input.has("drop"),
      force: input.has("force"),
      ...optional("grantBudget", input.number("grant-budget")),
    });
    if (!thawed.ok) return thawed;
    const { op, thawed: ids, dropped, endedClaims, stillFrozen } = thawed.value;
    const gone = new Set(dropped);
    return ok({
      data: thawed.value,
      text: (style) =>
        [
          ...lineOf(
            `${style.green("✓")} thawed`,
            ids.filter((id) => !gone.has(id)),
          ),
          ...lineOf(`${style.dim("−")} dropped`, dropped),
          ...endedLine(endedClaims),
          ...lineOf(`${style.cyan("❄")} still frozen for a reason of their own`, stillFrozen),
        ].join("\n"),
      note: () => wayBack(op),
    });
  },
};
