import { release as giveBack } from "../../../actions/claim/release.js";
import { ok } from "../../../app/vocabulary.js";
import { tokenFlag } from "../claim-flags.js";
import type { Command } from "../command.js";
import { optional } from "../input.js";

export const release: Command = {
  name: "release",
  group: "working",
  summary: "Give a claim back unfinished",
  description: "The task returns to the queue at once, and nothing is held against it.",
  arguments: [{ name: "REF", help: "the task", reference: true }],
  flags: {
    token: tokenFlag,
  },
  examples: [{ run: "planwright release TASK-00007 --token 5f0c…", does: "lets somebody else have it" }],
  run: async (input, app) => {
    const released = await giveBack(await app.open(), {
      reference: input.args[0] as string,
      ...optional("token", input.text("token")),
    });
    if (!released.ok) return released;
    return ok({ data: released.value, text: (style) => `${style.bold(released.value.id)} is back in the queue` });
  },
};
