import { ok, type Result } from "../../model/result.js";
import { toWaive, waivePatch, withoutNewPlan } from "../../model/rules/drop.js";
import { act, type Context } from "../../plan/base/context.js";
import {
  branchesOf,
  claimsOn,
  type EndedClaim,
  endNodes,
  fromEach,
  idsOf,
  type Named,
  summary,
} from "../../plan/node/branch.js";
import { fields, filled, nodes } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { endedLine, lineOf, undoStep } from "../text/after-change.js";

export const input = fields({
  references: nodes("a task, or a node whose open tasks are waived"),
  reason: filled("why it is not needed; kept in the log"),
});

export const verb = planVerb({
  name: "waive",
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
  text: ({ waived, notPlanned, endedClaims }, style) =>
    [
      ...lineOf(`${style.green("~")} waived`, waived),
      ...lineOf("  no longer to be planned again", notPlanned),
      ...endedLine(endedClaims),
    ].join("\n"),
  next: ({ op }) => undoStep(op),
});

interface WaiveInput extends Named {
  readonly reason: string;
}

interface Waived {
  readonly op: number | null;
  readonly waived: readonly string[];
  /** Containers that were to be planned again: what is finished in them is all there will be. */
  readonly notPlanned: readonly string[];
  readonly endedClaims: readonly EndedClaim[];
}

export async function waive(context: Context, input: WaiveInput): Promise<Result<Waived>> {
  const committed = await act<Omit<Waived, "op">>(context, "waive", async (writer, at) => {
    const branches = await branchesOf(writer, input, context.actor);
    if (!branches.ok) return branches;
    const waived = fromEach(branches.value, toWaive);
    if (!waived.ok) return waived;
    const notPlanned = branches.value.flatMap((branch) => withoutNewPlan(branch, waived.value));
    const patch = waivePatch({ by: context.actor, at, op: writer.op }, input.reason);
    const value = {
      waived: idsOf(waived.value),
      notPlanned: idsOf(notPlanned),
      endedClaims: claimsOn(waived.value),
    };
    const what = value.waived.length > 0 ? summary(value.waived) : `the rest of ${summary(value.notPlanned)}`;
    const sentence = `${context.actor} waived ${what}: ${input.reason}`;
    return ok({ sentence, changes: endNodes(waived.value, patch, notPlanned), value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}
