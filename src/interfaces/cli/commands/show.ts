import { show as showNode } from "../../../actions/show.js";
import { ok } from "../../../actions/vocabulary.js";
import type { Command } from "../command.js";
import { renderNode } from "../render-node.js";

const HELD_UP: ReadonlySet<string> = new Set(["planned", "blocked", "rejected", "frozen"]);

export const show: Command = {
  name: "show",
  group: "looking",
  summary: "Show one node, whole",
  description:
    "REF is an id in any case, the beginning of a UUID, or words of the title. Several matches are listed and none is chosen.",
  arguments: [{ name: "REF", help: "the node", reference: true }],
  examples: [
    { run: "planwright show TASK-00001", does: "shows its content, its status, and who decided what about it" },
    { run: "planwright show --active --json", does: "the node in focus, as JSON" },
  ],
  run: async (input, app) => {
    const node = await showNode(await app.open(), input.args[0] as string);
    if (!node.ok) return node;
    return ok({
      data: node.value,
      text: (style) => renderNode(node.value, style),
      note: () =>
        HELD_UP.has(node.value.status) ? `planwright why ${node.value.id}   says how to get it on its way` : "",
    });
  },
};
