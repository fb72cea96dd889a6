import { type Focus, readFocus, setFocus } from "../../../actions/node/focus.js";
import { ok, usage } from "../../../app/vocabulary.js";
import type { Answer, Command } from "../command.js";
import { renderNode } from "../render-node.js";

export const focus: Command = {
  name: "focus",
  group: "making",
  summary: "Show or set where you are working",
  description:
    "Every actor has a focus of their own. A person's `next` looks there first; --active, --story and --feature stand for it and for what is around it.",
  arguments: [{ name: "REF", help: "the node to turn to", optional: true, reference: true }],
  flags: { clear: { type: "boolean", help: "turn to nothing in particular" } },
  examples: [
    { run: "planwright focus FEAT-001", does: "turns to a feature" },
    { run: "planwright focus", does: "shows where you are" },
  ],
  run: async (input, app) => {
    const [reference] = input.args;
    const clear = input.has("clear");
    if (clear && reference !== undefined) return usage("usage", "A REF and --clear cannot be given together.");
    const context = await app.open();
    const wanted = clear ? null : reference;
    const result = wanted === undefined ? await readFocus(context) : await setFocus(context, wanted);
    return result.ok ? ok(answer(result.value)) : result;
  },
};

const answer = (focused: Focus): Answer => ({
  data: focused,
  text: (style) => (focused.node ? renderNode(focused.node, style) : style.dim("Nothing is in focus.")),
  note: () => (focused.node ? "" : "planwright focus REF turns to a node; planwright next does so, too."),
});
