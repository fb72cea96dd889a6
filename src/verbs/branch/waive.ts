import { toWaive, waivePatch, withoutNewPlan } from "../../model/rules/give-up.js";
import { branchesOf, claimsOn, endNodes, fromEach, idsOf, summary } from "../../plan/node/branch.js";
import { actWithNumber, type Context, fields, filled, type Infer, nodes, ok, planVerb } from "../kit/verb.js";
import { endedLine, lineOf } from "../kit/wording.js";

export const input = fields({
  references: nodes("a task, or a node whose open tasks are waived"),
  reason: filled("why it is not needed; kept in the log"),
});

export const verb = planVerb({
  command: { words: "waive", group: "decide", positional: ["references"] },
  summary: "Decide that work is not needed",
  description:
    "A waived task counts as done for everything that waits for it. In a feature or story, everything open is waived.",
  who: "person",
  effect: "writes",
  unsuggested: true,
  tools: [{ tool: "decide", action: "waive", fields: ["references", "reason"] }],
  input,
  examples: [
    {
      input: { references: ["TASK-00007"], reason: "the library does it" },
      does: "lets the rest of the plan continue",
    },
  ],
  run: waive,
  text: ({ waived, notPlanned, endedClaims }, style) => [
    ...lineOf(`${style.green("~")} waived`, waived),
    ...lineOf("  no longer to be planned again", notPlanned),
    ...endedLine(endedClaims),
  ],
});

export function waive(context: Context, asked: Infer<typeof input>) {
  return actWithNumber(context, "waive", async (writer, at) => {
    const branches = await branchesOf(writer, asked, context);
    if (!branches.ok) return branches;
    const waived = fromEach(branches.value, toWaive);
    if (!waived.ok) return waived;
    const notPlanned = branches.value.flatMap((branch) => withoutNewPlan(branch, waived.value));
    const patch = waivePatch({ by: context.actor, at, op: writer.op }, asked.reason);
    const value = { waived: idsOf(waived.value), notPlanned: idsOf(notPlanned), endedClaims: claimsOn(waived.value) };
    const what = value.waived.length > 0 ? summary(value.waived) : `the rest of ${summary(value.notPlanned)}`;
    const sentence = `${context.actor} waived ${what}: ${asked.reason}`;
    return ok({ sentence, changes: endNodes(waived.value, patch, notPlanned), value });
  });
}
