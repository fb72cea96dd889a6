// Decides that work is not needed. Whatever waits for it goes on.

import { ok, type Result } from "../../model/result.js";
import { toWaive, waivePatch, withoutNewPlan } from "../../model/rules/drop.js";
import {
  branchesOf,
  claimsOn,
  type EndedClaim,
  endNodes,
  fromEach,
  idsOf,
  type Named,
  summary,
} from "../../plan/branch/branch.js";
import { act, type Context } from "../../plan/context.js";

export interface WaiveInput extends Named {
  readonly reason: string;
}

export interface Waived {
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
