import { changeItem, type Item } from "../../model/item/item.js";
import { isSettled } from "../../model/status/rollup.js";
import { removeBundle } from "../../plan/bundle/bundle-folder.js";
import { summary } from "../../plan/node/branch.js";
import { act, type Context, ok, planVerb } from "../kit/verb.js";

export const verb = planVerb({
  command: { words: "bundle clean", hidden: true, group: "work" },
  summary: "Remove the bundles of finished tasks from disk",
  description: "Their texts stay in the store. Once such a task is open again, it can be packed again.",
  effect: "writes",
  destructive: true,
  examples: [{ input: {}, does: "removes bundles that are no longer needed" }],
  run: cleanBundles,
  text: ({ removed }, style) =>
    removed.length === 0
      ? style.dim("No finished task has a bundle.")
      : `${style.dim("−")} removed: ${removed.join(", ")}`,
  note: ({ removed }) => (removed.length === 0 ? "" : "Their texts stay in the store."),
});

/** Their texts stay in the store, where the log can find them; only the folders go. */
export async function cleanBundles(context: Context) {
  const committed = await act(context, "bundle", async (writer) => {
    const gone: { id: string; item: Item<"bundle"> }[] = [];
    for (const item of await writer.items("bundle", { state: "current" })) {
      const task = await writer.node(item.fields.task);
      if (task && isSettled(task)) gone.push({ id: task.id, item });
    }
    const ids = gone.map(({ id }) => id);
    const changes = gone.flatMap(({ item }) => changeItem(item, { state: "removed" }));
    return ok({ sentence: `${context.actor} removed the bundles of ${summary(ids)}`, changes, value: ids });
  });
  if (!committed.ok) return committed;
  for (const id of committed.value.value) removeBundle(context, id);
  return ok({ op: committed.value.op, removed: committed.value.value });
}
