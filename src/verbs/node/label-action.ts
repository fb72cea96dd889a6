// Adds labels to nodes and removes them. A label sorts nodes and changes nothing about what they say.

import { changeLabels } from "../../model/item/comment.js";
import { changeItem, createItem, type ItemChange } from "../../model/item/item.js";
import { ok, type Result } from "../../model/result.js";
import { idsOf, summary } from "../../plan/branch/branch.js";
import { act, type Context } from "../../plan/context.js";
import { resolveAll } from "../../plan/resolve.js";

export interface LabelInput {
  readonly references: readonly string[];
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

export interface Labelled {
  readonly op: number | null;
  readonly nodes: readonly { readonly id: string; readonly labels: readonly string[] }[];
}

export async function label(context: Context, input: LabelInput): Promise<Result<Labelled>> {
  const committed = await act<Labelled["nodes"]>(context, "label", async (writer) => {
    const nodes = await resolveAll(writer, input.references, context.actor);
    if (!nodes.ok) return nodes;
    const changes: ItemChange[] = [];
    const labelled: { id: string; labels: readonly string[] }[] = [];
    for (const node of nodes.value) {
      const item = await writer.item("labels", node.uuid);
      const labels = changeLabels(item?.fields.labels ?? [], input);
      if (item) changes.push(...changeItem(item, { labels }));
      else if (labels.length > 0)
        changes.push(createItem("labels", node.uuid, { state: "set", node: node.nr, labels }));
      labelled.push({ id: node.id, labels });
    }
    const words = [...(input.add ?? []).map((each) => `+${each}`), ...(input.remove ?? []).map((each) => `-${each}`)];
    const sentence = `${context.actor} labelled ${summary(idsOf(nodes.value))}: ${words.join(" ")}`;
    return ok({ sentence, changes, value: labelled });
  });
  return committed.ok ? ok({ op: committed.value.op, nodes: committed.value.value }) : committed;
}
