import { unlink as unlinkNode } from "../../../actions/node/unlink.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { endsOf, linkAnswer, linkFlags } from "./link.js";

export const unlink: Command = {
  name: "unlink",
  group: "making",
  summary: "Take back what link said",
  arguments: [{ name: "REF", help: "the node", reference: true }],
  flags: linkFlags,
  examples: [
    { run: "planwright unlink TASK-00008 --on TASK-00007", does: "TASK-00008 no longer waits for TASK-00007" },
  ],
  run: async (input, app) => {
    const unlinked = await unlinkNode(await app.open(), endsOf(input));
    return unlinked.ok ? ok(linkAnswer(unlinked.value, "-")) : unlinked;
  },
};
