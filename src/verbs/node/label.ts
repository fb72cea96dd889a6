import * as z from "zod/mini";
import { changeLabels, labelProblem } from "../../model/item/comments-and-labels.js";
import { changeItem, createItem, type ItemChange } from "../../model/item/item.js";
import { idsOf, summary } from "../../plan/node/branch.js";
import { actWithNumber, fields, judged, list, nodes, ok, optional, planVerb, resolveAll, rule } from "../kit/verb.js";

export const input = fields({
  references: nodes("a node"),
  add: optional(list(oneLabel(), "a label to add", "LABEL")),
  remove: optional(list(oneLabel(), "a label to remove", "LABEL")),
}).check(rule(null, "needs a label to add or to remove", (given) => Object.keys(given).length > 1));

export const verb = planVerb({
  command: { words: "label", group: "plan", positional: ["references"] },
  summary: "Add labels to nodes, or remove them",
  description: "Labels sort nodes. They are not part of what was approved.",
  effect: "writes",
  input,
  examples: [
    { input: { references: ["TASK-00007", "TASK-00008"], add: ["ui"] }, does: "labels two tasks" },
    { input: { references: ["TASK-00007"], remove: ["ui"] }, does: "removes a label" },
  ],
  run: (context, asked) =>
    actWithNumber(context, "label", async (writer) => {
      const nodes = await resolveAll(writer, asked.references, context);
      if (!nodes.ok) return nodes;
      const changes: ItemChange[] = [];
      const labelled: { id: string; labels: readonly string[] }[] = [];
      for (const node of nodes.value) {
        const item = await writer.item("labels", node.uuid);
        const labels = changeLabels(item?.fields.labels ?? [], asked);
        if (item) changes.push(...changeItem(item, { labels }));
        else if (labels.length > 0)
          changes.push(createItem("labels", node.uuid, { state: "set", node: node.nr, labels }));
        labelled.push({ id: node.id, labels });
      }
      const { add = [], remove = [] } = asked;
      const words = [...add.map((each) => `+${each}`), ...remove.map((each) => `-${each}`)];
      const sentence = `${context.actor} labelled ${summary(idsOf(nodes.value))}: ${words.join(" ")}`;
      return ok({ sentence, changes, value: { nodes: labelled } });
    }),
  text: ({ op, nodes }, style) =>
    op === null
      ? style.dim("Nothing was changed.")
      : nodes.map(({ id, labels }) => `${style.bold(id)}  ${labels.join(", ") || style.dim("no labels")}`),
});

function oneLabel() {
  return z.string().check(judged(labelProblem));
}
