import { changeNode } from "../../model/operation/change.js";
import { type Branch, isSettled } from "../../model/status/rollup.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { resolveAll } from "../../plan/base/resolve.js";
import { branchOf, claimsOn, idsOf, summary } from "../../plan/node/branch.js";
import { absent, fields, type Infer, type Node, nodes, ok, planVerb, type Result, step } from "../kit/verb.js";
import { endedLine, lineOf } from "../kit/wording.js";

export const input = fields({ references: nodes("a node; everything below it loses its approval too") });

export const verb = planVerb({
  command: { words: "unapprove", group: "decide", positional: ["references"] },
  summary: "Withdraw the approval of nodes and everything below them",
  description: "Finished nodes keep their approval. A worker who holds a task below loses the claim and stops.",
  who: "person",
  effect: "writes",
  unsuggested: true,
  input,
  examples: [{ input: { references: ["FEAT-001"] }, does: "stops more of the feature from starting" }],
  run: unapprove,
  text: ({ unapproved, endedClaims }, style) => [
    ...lineOf(`${style.dim("○")} no longer approved`, unapproved),
    ...endedLine(endedClaims),
  ],
});

export function unapprove(context: Context, { references }: Infer<typeof input>) {
  return actWithNumber(context, "unapprove", async (writer) => {
    const roots = await resolveAll(writer, references, context);
    if (!roots.ok) return roots;
    const branches = await Promise.all(roots.value.map((root) => branchOf(writer, root)));
    const nodes = toUnapprove(branches);
    if (!nodes.ok) return nodes;
    const unapproved = idsOf(nodes.value);
    const changes = nodes.value.flatMap((node) => changeNode(node, { approval: null, claim: null }));
    const sentence = `${context.actor} withdrew the approval of ${summary(unapproved)}`;
    return ok({ sentence, changes, value: { unapproved, endedClaims: claimsOn(nodes.value) } });
  });
}

export function toUnapprove(branches: readonly Branch[]): Result<Node[]> {
  const approved = branches.flat().filter((node) => node.approval !== null && !isSettled(node));
  if (approved.length > 0) return ok([...new Map(approved.map((node) => [node.nr, node])).values()]);
  const message = `Nothing open in ${summary(branches.map(([root]) => root.id))} is approved.`;
  return absent("not-approved", message, { next: [step("status")] });
}
