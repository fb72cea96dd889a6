import { show as showNode } from "../../../actions/node/show.js";
import { spell } from "../../../app/command-line.js";
import { ok, type Result } from "../../../app/vocabulary.js";
import type { Answer, App, Command } from "../command.js";
import { notes } from "../render-change.js";
import { renderNode } from "../render-node.js";

const HELD_UP: ReadonlySet<string> = new Set(["planned", "blocked", "rejected", "frozen"]);

export const show: Command = {
  name: "show",
  group: "looking",
  summary: "Show one node, whole",
  description:
    "REF is an id in any case, the beginning of a UUID, or words of the title. Several matches are listed and none is chosen. Keys of records, escalations, lessons, artifacts, planning runs, attempts and conflicts, such as DEC-001 or ATT-00001, are understood as well; of an artifact the text is printed.",
  arguments: [{ name: "REF", help: "the node, or the key of an item", reference: true }],
  examples: [
    { run: "planwright show TASK-00001", does: "shows its content, its status, and who decided what about it" },
    { run: "planwright show --active --json", does: "the node in focus, as JSON" },
  ],
  run: async (input, app) => {
    const [reference = ""] = input.args;
    const node = await showNode(await app.open(), reference);
    if (!node.ok)
      return node.error.kind === "absent" && ITEM_KEY.test(reference) ? showOther(node, reference, app) : node;
    return ok({
      data: node.value,
      text: (style) => renderNode(node.value, style),
      note: () =>
        HELD_UP.has(node.value.status) ? `planwright why ${node.value.id}   says how to get it on its way` : "",
    });
  },
};

const ITEM_KEY = /^([a-z]{3}|conflict)-\d+$/i;

/** Items are rare, so what shows them is loaded when one is asked for. */
async function showOther(failed: Result<never>, key: string, app: App): Promise<Result<Answer>> {
  const { showItem } = await import("../../../actions/item/show-item.js");
  const shown = await showItem(await app.open(), key);
  if (!shown.ok) return failed;
  const { renderItem, noteOnItem, stepsForItem } = await import("../render-item.js");
  return ok({
    data: shown.value.item,
    text: (style) => renderItem(shown.value, style),
    note: () => notes(noteOnItem(shown.value), ...stepsForItem(shown.value).map(spell)),
  });
}
