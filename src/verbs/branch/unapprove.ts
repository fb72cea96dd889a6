import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { changeNode, type NodeChange } from "../../model/operation/change.js";
import { absent, ok, type Result, refused } from "../../model/result.js";
import { isSettled } from "../../model/status/rollup.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { resolveAll } from "../../plan/base/resolve.js";
import { branchOf, type Named, summary } from "../../plan/node/branch.js";
import { fields, nodes } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { lineOf, undoStep } from "../text/wording.js";

export const input = fields({ references: nodes("a node; everything below it loses its approval too") });

export const verb = planVerb({
  command: { words: "unapprove", group: "decide", positional: ["references"] },
  summary: "Withdraw the approval of nodes and everything below them",
  description: "Finished nodes keep their approval. Release a claimed task first.",
  who: "person",
  effect: "writes",
  unsuggested: true,
  input,
  examples: [{ input: { references: ["FEAT-001"] }, does: "stops more of the feature from starting" }],
  run: unapprove,
  text: ({ unapproved }, style) => lineOf(`${style.dim("○")} no longer approved`, unapproved).join("\n"),
  next: ({ op }) => undoStep(op),
});

export function unapprove(context: Context, { references }: Named) {
  return actWithNumber(context, "unapprove", async (writer) => {
    const roots = await resolveAll(writer, references, context.actor);
    if (!roots.ok) return roots;
    const changes = new Map<string, NodeChange[]>();
    for (const root of roots.value) {
      for (const node of await branchOf(writer, root)) {
        if (node.approval === null || isSettled(node)) continue;
        if (node.claim) return inFlight(node, node.claim.by);
        changes.set(node.id, changeNode(node, { approval: null }));
      }
    }
    const ids = [...changes.keys()];
    if (ids.length === 0) return nothingApproved(roots.value);
    const sentence = `${context.actor} withdrew the approval of ${summary(ids)}`;
    return ok({ sentence, changes: [...changes.values()].flat(), value: { unapproved: ids } });
  });
}

const inFlight = (node: Node, by: string): Result<never> =>
  refused("in-flight", `${by} is working on ${node.id}. Release the claim first.`, {
    next: [step("claim.release", { reference: node.id })],
    details: { id: node.id, by },
  });

const nothingApproved = (roots: readonly Node[]): Result<never> =>
  absent("not-approved", `Nothing open in ${summary(roots.map((root) => root.id))} is approved.`, {
    next: [step("status")],
  });
