import { type Nr, tierRank } from "../../model/node/node.js";
import { changeNode, type NodeChange } from "../../model/operation/change.js";
import { freezePatch, toFreeze } from "../../model/rules/freeze.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { mayEndClaims } from "../../plan/claim/may-end-claims.js";
import { branchOf, claimsOn, type EndedClaim, idsOf, summary } from "../../plan/node/branch.js";
import { readWorkTips } from "../../plan/repository/work-tips.js";
import {
  fields,
  filled,
  type Infer,
  nodes,
  ok,
  optional,
  planVerb,
  resolveAll,
  spoken,
  step,
  undoStep,
} from "../kit/verb.js";
import { endedLine, harmless, lineOf } from "../kit/wording.js";

export const input = fields({
  references: nodes("a node; everything below it is frozen too"),
  reason: optional(filled("why; shown wherever the status is shown")),
});

export const verb = planVerb({
  command: { words: "freeze", group: "decide", positional: ["references"] },
  summary: "Stop nodes and everything below them, with a reason",
  description:
    "Finished nodes stay as they are, and nodes that were frozen before keep their own reason. A worker who holds a task below loses the claim; an agent cannot end the work of somebody else.",
  effect: "writes",
  phrases: spoken(
    "freeze, pause, halt, park, block, suspend, shelve, stop, hold, hold off on, hold off, stop work on, " +
      "stop working on, stop all work on, put on hold, put … on hold, put … on ice, put a hold on, " +
      "put a freeze on, put on pause, put … on pause, set … aside, leave … for now, quit working on",
  ),
  emptyWords: "work working down off",
  hints: ["stop"],
  tools: [{ tool: "edit", action: "freeze", fields: ["references", "reason"] }],
  input,
  examples: [
    { input: { references: ["STORY-0001"], reason: "the API is changing" }, does: "stops the story and its tasks" },
  ],
  run: freeze,
  text: ({ frozen, reason, released }, style) => [
    ...lineOf(`${style.cyan("❄")} frozen`, frozen),
    `  ${style.dim("reason")} ${harmless(reason)}`,
    ...endedLine(released),
  ],
  next: ({ frozen, op }) => [step("thaw", { references: frozen.slice(0, 1) }), ...undoStep(op)],
});

export async function freeze(context: Context, asked: Infer<typeof input>) {
  const { actor } = context;
  const { reason = `paused by ${actor}` } = asked;
  const tipOf = await readWorkTips(context);
  return actWithNumber(context, "freeze", async (writer, at) => {
    const roots = await resolveAll(writer, asked.references, context);
    if (!roots.ok) return roots;
    const changes: NodeChange[] = [];
    const frozen: string[] = [];
    const released: EndedClaim[] = [];
    const covered = new Set<Nr>();
    // From the top, so that what lies below another of them is frozen with it.
    for (const root of roots.value.sort((a, b) => tierRank(a.tier) - tierRank(b.tier))) {
      if (covered.has(root.nr)) continue;
      const nodes = toFreeze(await branchOf(writer, root));
      if (!nodes.ok) return nodes;
      const may = mayEndClaims(context, nodes.value);
      if (!may.ok) return may;
      for (const node of nodes.value) {
        covered.add(node.nr);
        const commit = await tipOf(writer, node);
        changes.push(...changeNode(node, freezePatch(root.nr, { reason, by: actor, at, commit })));
      }
      for (const id of idsOf(nodes.value)) frozen.push(id);
      for (const claim of claimsOn(nodes.value)) released.push(claim);
    }
    const sentence = `${actor} froze ${summary(frozen)}: ${reason}`;
    return ok({ sentence, changes, value: { reason, frozen, released } });
  });
}
