import { changeNode } from "../../model/operation/change.js";
import { toRestore } from "../../model/rules/archive.js";
import type { Branch } from "../../model/status/rollup.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { branchOf, fromEach, idsOf, summary } from "../../plan/node/branch.js";
import { fields, type Infer, lineOf, type Nr, nodes, ok, planVerb, refused, resolveAll, step } from "../kit/verb.js";

export const input = fields({ references: nodes("an archived node") });

export const verb = planVerb({
  command: { words: "restore", group: "decide", positional: ["references"] },
  summary: "Show archived nodes again",
  description: "Any node of an archived branch stands for the whole branch.",
  effect: "writes",
  tools: [{ tool: "edit", action: "restore", fields: ["references"] }],
  input,
  examples: [{ input: { references: ["FEAT-001"] }, does: "shows the feature again" }],
  run: restore,
  text: ({ restored }, style) => lineOf(`${style.green("✓")} shown again`, restored),
});

export function restore(context: Context, { references }: Infer<typeof input>) {
  return actWithNumber(context, "restore", async (writer) => {
    const found = await resolveAll(writer, references, context);
    if (!found.ok) return found;
    const roots = new Map<Nr, Branch>();
    for (const node of found.value) {
      const root = (node.archive && (await writer.node(node.archive.root))) ?? node;
      roots.set(root.nr, await branchOf(writer, root));
    }
    const nodes = fromEach([...roots.values()], toRestore);
    if (!nodes.ok) return nodes;
    const restored = new Set(nodes.value.map(({ nr }) => nr));
    for (const [root] of roots.values()) {
      const above = (await writer.ancestors(root.nr)).find(({ archive, nr }) => archive !== null && !restored.has(nr));
      if (!above) continue;
      const message = `${root.id} is inside ${above.id}, which is archived too. Restore ${above.id} first.`;
      const next = [step("restore", { references: [above.id] }), step("show", { reference: above.id })];
      return refused("archived", message, { next, details: { above: above.id } });
    }
    const ids = idsOf(nodes.value);
    const changes = nodes.value.flatMap((node) => changeNode(node, { archive: null }));
    return ok({ sentence: `${context.actor} restored ${summary(ids)}`, changes, value: { restored: ids } });
  });
}
