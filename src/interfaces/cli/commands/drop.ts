import { drop as dropBranch } from "../../../actions/branch/drop.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { endedLine, lineOf, wayBack } from "../ids.js";
import { optional } from "../input.js";

export const drop: Command = {
  name: "drop",
  group: "deciding",
  summary: "Give up a task, or what is not finished in a branch",
  description:
    "What is finished stays, and so does everything that contains some of it; a land task goes only with its whole feature. The inbox and BUGS are part of every plan: only what is in them goes. An agent may drop only what no person approved.",
  arguments: [{ name: "REF", help: "the node; everything open below it goes with it", reference: true }],
  flags: { reason: { type: "string", value: "TEXT", help: "why" } },
  examples: [{ run: 'planwright drop STORY-0002 --reason "nobody needs it"', does: "gives the story up" }],
  run: async (input, app) => {
    const done = await dropBranch(await app.open(), {
      reference: input.args[0] as string,
      ...optional("reason", input.text("reason")),
    });
    if (!done.ok) return done;
    const { op, dropped, waiting, endedClaims, kept } = done.value;
    return ok({
      data: done.value,
      text: (style) =>
        [
          ...lineOf(`${style.dim("−")} dropped`, dropped),
          ...endedLine(endedClaims),
          ...lineOf("  part of every plan, so it stays", kept),
          ...lineOf(`${style.yellow("■")} these depended on it and wait now`, waiting),
        ].join("\n"),
      note: () => wayBack(op),
    });
  },
};
