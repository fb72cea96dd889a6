// Decides that work is not needed. Whatever waits for it goes on.

import { changeNode } from "../../graph/operation/change.js";
import { ok, type Result } from "../../graph/result.js";
import { toWaive, waivePatch } from "../../graph/rules/waive.js";
import { act, type Context } from "../context.js";
import { branchesOf, claimsOn, type EndedClaim, fromEach, idsOf, type Named, summary } from "./branch.js";

export interface WaiveInput extends Named {
  readonly reason: string;
}

export interface Waived {
  readonly op: number | null;
  readonly waived: readonly string[];
  readonly endedClaims: readonly EndedClaim[];
}

export async function waive(context: Context, input: WaiveInput): Promise<Result<Waived>> {
  const committed = await act<Omit<Waived, "op">>(context, "waive", async (writer, at) => {
    const branches = await branchesOf(writer, input, context.actor);
    const waived = branches.ok ? fromEach(branches.value, toWaive) : branches;
    if (!waived.ok) return waived;
    const patch = waivePatch({ by: context.actor, at, op: writer.op }, input.reason);
    const value = { waived: idsOf(waived.value), endedClaims: claimsOn(waived.value) };
    const sentence = `${context.actor} waived ${summary(value.waived)}: ${input.reason}`;
    return ok({ sentence, changes: waived.value.flatMap((node) => changeNode(node, patch)), value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}
