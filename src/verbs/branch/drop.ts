import { dropBranch, dropPatch, withoutNewPlan } from "../../model/rules/give-up.js";
import { isStanding } from "../../model/status/rollup.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { branchesOf, claimsOn, colon, endNodes, fromEach, idsOf, summary } from "../../plan/node/branch.js";
import { mayGiveUp } from "../../plan/node/require-person.js";
import { fields, filled, type Infer, type Node, nodes, ok, optional, planVerb, type Reader } from "../kit/verb.js";
import { endedLine, lineOf } from "../kit/wording.js";

export const input = fields({
  references: nodes("a node; everything open below it is dropped too"),
  reason: optional(filled("why")),
});

export const verb = planVerb({
  command: { words: "drop", group: "decide", positional: ["references"] },
  summary: "Drop nodes and everything open below them",
  description:
    "Finished nodes stay, and so does everything that contains one. A branch that was replanned no longer waits for a new plan. A land task is dropped only with its whole feature. The inbox and BUGS are part of every plan, so only what is in them is dropped. An agent may drop only what no person approved, and nothing that waits for a new plan.",
  effect: "writes",
  destructive: true,
  tools: [{ tool: "edit", action: "drop", fields: ["references", "reason"] }],
  input,
  examples: [
    { input: { references: ["STORY-0002"], reason: "out of scope" }, does: "drops the story and its open tasks" },
  ],
  run: drop,
  text: ({ dropped, waiting, endedClaims, kept, notPlanned }, style) => [
    ...lineOf(`${style.dim("−")} dropped`, dropped),
    ...lineOf("  no longer to be planned again", notPlanned),
    ...endedLine(endedClaims),
    ...lineOf("  part of every plan, so they stay", kept),
    ...lineOf(`${style.yellow("■")} cannot start now, because they depend on it`, waiting),
  ],
});

export function drop(context: Context, asked: Infer<typeof input>) {
  const { reason = null } = asked;
  return actWithNumber(context, "drop", async (writer, at) => {
    const branches = await branchesOf(writer, asked, context);
    if (!branches.ok) return branches;
    const dropped = fromEach(branches.value, dropBranch);
    if (!dropped.ok) return dropped;
    const notPlanned = branches.value.flatMap((branch) => withoutNewPlan(branch, dropped.value));
    const may = mayGiveUp(context.actor, [...dropped.value, ...notPlanned]);
    if (!may.ok) return may;
    const patch = dropPatch({ by: context.actor, at, op: writer.op }, reason);
    const value = {
      dropped: idsOf(dropped.value),
      waiting: await waitingFor(writer, dropped.value),
      endedClaims: claimsOn(dropped.value),
      kept: idsOf(branches.value.flat().filter(isStanding)),
      notPlanned: idsOf(notPlanned),
    };
    const what = value.dropped.length > 0 ? summary(value.dropped) : `the rest of ${summary(value.notPlanned)}`;
    const sentence = `${context.actor} dropped ${what}${colon(reason)}`;
    return ok({ sentence, changes: endNodes(dropped.value, patch, notPlanned), value });
  });
}

async function waitingFor(reader: Reader, dropped: readonly Node[]): Promise<string[]> {
  const going = new Set(dropped.map((node) => node.nr));
  const waiting = new Set<string>();
  for (const { nr } of dropped) {
    for (const node of await reader.dependents(nr)) {
      if (!going.has(node.nr) && node.outcome === null) waiting.add(node.id);
    }
  }
  return [...waiting];
}
