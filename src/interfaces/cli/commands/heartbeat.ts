import { heartbeat as beat } from "../../../actions/claim/renew.js";
import { ok } from "../../../app/vocabulary.js";
import { leaseFlag, tokenFlag } from "../claim-flags.js";
import type { Command } from "../command.js";
import { optional } from "../input.js";

export const heartbeat: Command = {
  name: "heartbeat",
  group: "working",
  summary: "Keep a claim alive",
  description: "Starts the lease again. A worker that is silent until its lease ends loses the task.",
  arguments: [{ name: "REF", help: "the task", reference: true }],
  flags: {
    token: tokenFlag,
    lease: leaseFlag,
  },
  examples: [{ run: "planwright heartbeat TASK-00007 --token 5f0c…", does: "extends the lease" }],
  run: async (input, app) => {
    const held = await beat(await app.open(), {
      reference: input.args[0] as string,
      ...optional("token", input.text("token")),
      ...optional("leaseMinutes", input.number("lease")),
    });
    if (!held.ok) return held;
    return ok({
      data: held.value,
      text: (style) => `${style.bold(held.value.id)} is yours until ${held.value.leaseUntil}`,
    });
  },
};
